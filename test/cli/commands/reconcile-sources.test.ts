import { createHmac } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { GitRepository } from "../../fixtures/git-repository.ts";
import { serveReplies, text as textReply } from "../../fixtures/http-server.ts";
import { shop } from "../../fixtures/manifests.ts";
import { startReceiver } from "../../emulator/receiver.ts";
import { type Child, spawnInfrasync } from "../child.ts";
import { type Fixture, useFixture, writesOf } from "../fixture.ts";
import { removeFolder } from "../../fixtures/remove-folder.ts";

const fixture = useFixture({ behaviour: { rate_limit: 0 } });
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "infrasync-sources-"));
  for (const name of ["sources", "files", "data"]) mkdirSync(join(folder, name));
  return () => removeFolder(folder);
});

/** A repository that is removed with the test. */
function repository(files: Record<string, string>): GitRepository {
  const made = new GitRepository();
  onTestFinished(() => made[Symbol.dispose]());
  made.push(files);
  return made;
}

/** A repository that describes a project with an environment. */
function repositoryOf(project: string): GitRepository {
  return repository({ "infra/a.yaml": shop.replaceAll("shop", project) });
}

/** Starts a service with many sources. Gives the URLs of its page and of its webhook. */
async function start(...args: string[]): ReturnType<typeof startWith> {
  return startWith({}, ...args);
}

/** The same with further environment variables. */
async function startWith(
  env: Record<string, string>,
  ...args: string[]
): Promise<{ child: Child; url: string; webhook_url: string; get(path: string): Promise<Response> }> {
  const given = ["--allow-local-repo", "--yes", "--interval", "1s", "--listen", "0"];
  const child = spawnInfrasync(["reconcile", ...given, "--data", join(folder, "data"), ...args], {
    ...fixture.env,
    INFRASYNC_SOURCE_FILES: join(folder, "files"),
    ...env,
  });
  onTestFinished(() => void child.process.kill("SIGKILL"));
  const first = await Promise.race([once(child.process.stdout, "data"), child.ended]);
  if (!Array.isArray(first)) throw new Error(first.stderr);
  const { url, webhook_url } = JSON.parse(String(first[0])) as { url: string; webhook_url: string };
  return { child, url, webhook_url, get: (path) => fetch(url + path) };
}

function state(name: string, text: string): void {
  writeFileSync(join(folder, "sources", name), text);
}

const source = (name: string, of: GitRepository | string, more = "") => `---
kind: Source
name: ${name}
repository: ${typeof of === "string" ? of : of.origin}
path: infra
${more}
`;

test("many sources are kept synced by one service; one that cannot be read holds up no other", async () => {
  const [one, two] = [repositoryOf("one"), repositoryOf("two")];
  state("all.yaml", source("one", one, "team: blue") + source("two", two, "team: red"));
  state("broken.yaml", source("gone", "/nowhere/at-all.git") + source("odd", "ftp://x"));
  const { child, url, get } = await start("--sources", join(folder, "sources"));
  await expect
    .poll(async () => writesOf(await fixture.requests()).toSorted())
    .toEqual([
      "POST /organization/{id}/project",
      "POST /organization/{id}/project",
      "POST /project/{id}/environment",
      "POST /project/{id}/environment",
    ]);
  await expect
    .poll(async () => (await fixture.run(["reconcile", "status", "--url", url])).stdout)
    .toMatch(
      /^Source odd does not run and 1 more source out of date, 2 of 2 environments synced, in 4 sources\n/,
    );
  const ran = await fixture.run(["reconcile", "status", "--url", url]);
  expect(ran.stdout).toMatch(/\nodd {2}does not run, not checked yet\n {2}the URL of the repository/);
  expect(ran.stdout).toMatch(/\ngone {2}out of date, not checked yet\n {2}the last cycle has failed/);
  expect(ran.stdout).toMatch(/\none \(blue\) {2}synced, 1 of 1 synced, checked \d+ (?:s|min) ago\n/);
  const page = await get("/?team=blue").then((answer) => answer.text());
  expect(page).toContain('href="sources/one/"');
  expect(page).not.toContain('href="sources/two/"');
  const its = await fixture.run(["reconcile", "status", "--url", url, "--source", "two"]);
  expect(its.stdout).toContain("1 of 1 environments synced with");
  const atSocket = (...args: string[]) => fixture.run(["reconcile", ...args, "--data", join(folder, "data")]);
  expect((await atSocket("status")).stdout).toMatch(
    /^Source odd does not run and 1 more source out of date, 2 of 2 environments synced, in 4 sources\n/,
  );
  expect((await atSocket("status", "--source", "two")).stdout).toContain("1 of 1 environments synced with");
  const pause = ["pause", "--for", "2h", "--reason", "x"];
  expect(await atSocket(...pause)).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("this service has many sources: name one of them with --source"),
  });
  expect(await atSocket(...pause, "--source", "three")).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("no source three runs at this service"),
  });
  expect(await atSocket(...pause, "one/staging", "--source", "one")).toMatchObject({ code: 0 });
  expect((await get("/sources/two")).url).toBe(`${url}/sources/two/`);
  child.process.kill("SIGTERM");
  expect((await child.ended).code).toBe(0);
});

test("sources change by commits without a restart; a mistake in a file ends none of its sources", async () => {
  const [one, two, three] = [repositoryOf("one"), repositoryOf("two"), repositoryOf("three")];
  const sources = repository({ "fleet/a.yaml": source("one", one), "fleet/b.yaml": source("two", two) });
  const { child, url, get } = await start("--sources", `file://${sources.origin}`, "--path", "fleet");
  const names = async () => {
    const status = (await (await get("/status.json")).json()) as {
      sources: { name: string; state: string }[];
    };
    return status.sources.map(({ name, state: its }) => `${name} ${its}`).toSorted();
  };
  const wait = { interval: 200 };
  await expect.poll(names, wait).toEqual(["one synced", "two synced"]);
  sources.push({
    "fleet/a.yaml": `${source("one", one)}colour: red\n`,
    "fleet/b.yaml": undefined,
    "fleet/c.yaml": source("three", three),
  });
  await expect.poll(names, wait).toEqual(["one synced", "three synced", "two stopped"]);
  const reported = await fixture.run(["reconcile", "status", "--url", url]);
  expect(reported.stdout).toContain('a.yaml:7: a Source has no member "colour"');
  sources.push({ "fleet/a.yaml": undefined });
  await expect.poll(names, wait).toEqual(["one stopped", "three synced", "two stopped"]);
  expect(writesOf(await fixture.requests()).filter((line) => line.startsWith("DELETE"))).toEqual([]);
  child.process.kill("SIGTERM");
  expect((await child.ended).code).toBe(0);
});

test("a team sees, hints at and changes its own sources only, and a source changes its own projects only", async () => {
  const [one, two] = [repositoryOf("one"), repositoryOf("two")];
  const file = (name: string, text: string) => writeFileSync(join(folder, "files", name), text);
  file("token", fixture.env["INFRASYNC_TOKEN"] ?? "");
  file("blue-hook", "secret of the blue hook");
  file("blue", "token of the blue people");
  file("access.yaml", `roles: [{ role: operate, name: blue, token_file: blue, teams: [blue] }]`);
  const more = "token_file: token\nwebhook_secret_file: blue-hook\nprojects: [one]\nteam: blue";
  state("all.yaml", source("one", one, more) + source("two", two, "projects: [other]\nteam: red"));
  const { url, webhook_url, child } = await start(
    "--sources",
    join(folder, "sources"),
    "--access-file",
    join(folder, "files", "access.yaml"),
    "--webhook-listen",
    "0",
  );
  const get = (path: string) =>
    fetch(url + path, { headers: { authorization: "Bearer token of the blue people" } });
  await expect
    .poll(async () => (await get("/status.json")).json())
    .toMatchObject({ sources: [{ name: "one", state: "synced" }] });
  expect(await (await get("/")).text()).not.toContain("two");
  expect(
    await Promise.all(["one", "two", "none"].map(async (name) => (await get(`/sources/${name}/`)).status)),
  ).toEqual([200, 404, 404]);
  const ask = (name: string) =>
    fetch(`${url}/sources/${name}/requests`, {
      method: "POST",
      headers: { authorization: "Bearer token of the blue people", "content-type": "application/json" },
      body: JSON.stringify({ type: "sync", environment: "one/staging" }),
    }).then(({ status }) => status);
  expect([await ask("one"), await ask("two")]).toEqual([200, 404]);
  expect((await get("/metrics")).status).toBe(403);
  const hook = (name: string) =>
    fetch(`${webhook_url}/${name}`, {
      method: "POST",
      headers: { "x-gitlab-token": "secret of the blue hook" },
    });
  expect(await Promise.all(["one", "two", "none"].map(async (name) => (await hook(name)).status))).toEqual([
    202, 403, 401,
  ]);
  await child.says("project:two is outside the limits of this repository");
  expect(writesOf(await fixture.requests())).toHaveLength(2);
  expect((await fetch(`${url}/status.json`)).status).toBe(401);
  child.process.kill("SIGTERM");
  expect((await child.ended).code).toBe(0);
});

test("conditions of one team that would take years end: the service answers, other teams' commits are applied, and SIGTERM stops it", async () => {
  const digits = JSON.stringify(Array.from({ length: 20 }, (_, index) => index));
  const deep = Array.from({ length: 12 }).reduce<string>(
    (inner, _, level) => `${digits}.all(v${level}, ${inner})`,
    "true",
  );
  const slow = `"${"a".repeat(40)}!".matches("^(a+)+$")`;
  const policies = [slow, ...Array.from({ length: 99 }, () => deep)].map(
    (when, index) => `  - { name: r${index}, message: no, when: '${when}' }\n`,
  );
  const [one, two] = [repositoryOf("one"), repositoryOf("two")];
  one.push({ "infra/infrasync.config.yaml": `policies:\n${policies.join("")}` });
  state("all.yaml", source("one", one) + source("two", two));
  const { url, child, get } = await start("--sources", join(folder, "sources"));
  const wait = { interval: 200 };
  const states = async () => {
    const { sources } = (await (await get("/status.json")).json()) as {
      sources: { name: string; state: string }[];
    };
    return sources.map((each) => `${each.name} ${each.state}`).toSorted();
  };
  await expect.poll(states, wait).toEqual(["one blocked", "two synced"]);
  const made = async () =>
    writesOf(await fixture.requests()).filter((line) => line === "POST /project/{id}/environment").length;
  expect(await made()).toBe(1);
  const [, environment = ""] = shop.replaceAll("shop", "two").replaceAll("staging", "second").split("---\n");
  two.push({ "infra/more.yaml": environment });
  await expect.poll(made, wait).toBe(2);
  const its = await fixture.run(["reconcile", "status", "--url", url, "--source", "one"]);
  expect(its.stdout).toContain("it takes more than 200,000 steps");
  expect((await get("/healthz")).status).toBe(200);
  child.process.kill("SIGTERM");
  expect((await child.ended).code).toBe(0);
});

test.each([
  [["--repo", "https://git.example.com/a.git"], "--sources and --repo exclude each other"],
  [["--once"], "--sources needs the service"],
  [["--dry-run"], "--sources needs the service"],
  [["--allow-commands"], "--allow-commands and --sources exclude each other"],
])("reconcile --sources with %j is refused", async (args, message) => {
  const given = ["--sources", join(folder, "sources"), "--yes", ...args];
  const ran = await fixture.run(["reconcile", ...given]);
  expect(ran).toMatchObject({ code: 3, stderr: expect.stringContaining(message) });
});

test("--database without --sources is refused, and so is a password that others could read", async () => {
  const given = ["reconcile", "--yes", "--repo", "https://git.example.com/a.git"];
  const alone = await fixture.run([...given, "--database", "postgres://db.example.com/infrasync"]);
  expect(alone).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("--database is for a service with many"),
  });
  for (const url of ["postgres://infrasync:canary-7f3a@db.example.com/infrasync", "mysql://canary-7f3a"]) {
    const ran = await fixture.run(["reconcile", "migrate", "--database", url]);
    expect(ran).toMatchObject({ code: 3, stderr: expect.stringContaining("the URL") });
    expect(ran.stderr).not.toContain("canary-7f3a");
  }
  for (const password of ["canary-7f3a%", "canary-7f3a%ff"]) {
    const env = { INFRASYNC_DATABASE: `postgres://infrasync:${password}@db.example.com/infrasync` };
    const ran = await fixture.run(["reconcile", "migrate"], { env });
    expect(ran).toMatchObject({ code: 3, stderr: expect.stringContaining("has to be written as %25") });
    expect(ran.stderr).not.toContain("canary-7f3a");
  }
});

test("a service whose documents all have mistakes does not start, and names each", async () => {
  state("a.yaml", "kind: Source\nname: Shop\n---\nkind: Application\n");
  const ran = await fixture.run([
    "reconcile",
    "--sources",
    join(folder, "sources"),
    "--yes",
    "--listen",
    "off",
  ]);
  expect(ran.code).toBe(3);
  for (const text of ['"Shop" is not the name of a source', "repository", '"Application" is not a kind here'])
    expect(ran.stderr).toContain(text);
});

test("a set makes a source of each folder, and a source has the token, organization, revision, bounds and receivers that its document declares", async () => {
  const teams = repository({
    "teams/blue/a.yaml": shop.replaceAll("shop", "blue"),
    "teams/red/a.yaml": shop.replaceAll("shop", "red"),
    "docs/a.md": "none",
  });
  const whole = repositoryOf("whole");
  whole.git("tag", "v1.0.0");
  whole.git("push", "--quiet", "origin", "v1.0.0");
  whole.push({ "infra/b.yaml": "kind: Project\nname: not-released\n" });
  const { received, url: receiver } = await serveReplies(
    ...Array.from({ length: 20 }, () => textReply(200, "")),
  );
  writeFileSync(join(folder, "files", "receiver"), receiver);
  writeFileSync(join(folder, "files", "secret"), "s3cret");
  writeFileSync(join(folder, "files", "routes.yaml"), "routes:\n  - url_file: receiver\n");
  state(
    "set.yaml",
    `kind: SourceSet\nname: teams\nfolders:\n  repository: ${teams.origin}\n  match: teams/*\nsource:\n  team: "{name}"\n  webhook_secret_file: secret\n  interval: 1h\n`,
  );
  const { name: organization } = fixture.emulator.organization;
  state(
    "whole.yaml",
    source(
      "whole",
      whole,
      `organization: ${organization}\ntoken: whole\nrevision: v1.*\nkinds: [Project, Environment]\nnotify_file: routes.yaml\npolicy: { on_drift: report }`,
    ),
  );
  state("narrow.yaml", source("narrow", repositoryOf("narrow"), "kinds: [Project]"));
  const { tokens } = fixture.emulator;
  const { child, get, webhook_url } = await startWith(
    { INFRASYNC_SOURCE_TOKEN_WHOLE: tokens.admin, INFRASYNC_TOKEN: tokens.write },
    "--sources",
    join(folder, "sources"),
    "--webhook-listen",
    "0",
  );
  const statesOf = async () => {
    const { sources } = (await (await get("/status.json")).json()) as {
      sources: { name: string; state: string }[];
    };
    return Object.fromEntries(sources.map(({ name, state: its }) => [name, its]));
  };
  await expect
    .poll(statesOf)
    .toMatchObject({ "teams-blue": "synced", "teams-red": "synced", whole: "synced", narrow: "blocked" });
  const projects = async () =>
    (await fixture.requests()).filter((line) => line === "POST /organization/{id}/project").length;
  expect(await projects()).toBe(3);
  // Drift is told to the receivers of the source, and stays.
  const environment = await drifted(fixture, "whole");
  await expect.poll(statesOf).toMatchObject({ whole: "drift" });
  await expect.poll(() => received.map(({ body }) => body).join("\n")).toContain("whole");
  expect(environment).toBe("DEVELOPMENT");
  // A flood of webhooks at one source is few looks there, and none at the others, which go on.
  const body = JSON.stringify({ ref: "refs/heads/main" });
  const signature = createHmac("sha256", "s3cret").update(body).digest("hex");
  const headers = { "x-hub-signature-256": `sha256=${signature}`, "x-github-event": "push" };
  const hint = (name: string) => fetch(`${webhook_url}/${name}`, { method: "POST", body, headers });
  teams.push({ "teams/red/b.yaml": "kind: Project\nname: more\n" });
  // The server closes the connections that are too many.
  const flood = await Promise.all(
    Array.from({ length: 300 }, () =>
      hint("teams-blue").then(
        ({ status }) => status,
        () => "closed",
      ),
    ),
  );
  expect(flood).toContain(202);
  await hint("teams-red");
  await expect.poll(projects).toBe(4);
  child.process.kill("SIGTERM");
  await child.ended;
});

/** Changes an environment of a project behind the back of the service. Gives its mode. */
async function drifted(
  { request, emulator }: Pick<Fixture, "request" | "emulator">,
  project: string,
): Promise<unknown> {
  const list = async (path: string) =>
    (await request("GET", path))["results"] as { id: string; name: string }[];
  const found = (await list(`/organization/${emulator.organization.id}/project`)).find(
    ({ name }) => name === project,
  );
  const [environment] = await list(`/project/${found?.id}/environment`);
  const { mode } = await request("PUT", `/environment/${environment?.id}`, {
    name: environment?.name,
    mode: "DEVELOPMENT",
  });
  return mode;
}

test("an environment that two sources declare is written by neither, and each page names the other", async () => {
  const [one, two] = [repositoryOf("shop"), repositoryOf("shop")];
  state("all.yaml", source("one", one, "projects: [shop]") + source("two", two, "projects: [shop]"));
  const { get } = await start("--sources", join(folder, "sources"));
  for (const [name, other] of [
    ["one", "two"],
    ["two", "one"],
  ])
    await expect
      .poll(async () => (await get(`/sources/${name}/status.json`)).text(), { timeout: 30_000 })
      .toContain(`environment:shop/staging is declared by the source ${other} too`);
  expect(writesOf(await fixture.requests())).toEqual([]);
});

test("a source that is declared no longer is shown with what it left live until somebody acknowledges that; another name keeps the memory", async () => {
  const [one, two] = [repositoryOf("one"), repositoryOf("two")];
  const file = (name: string, text: string) => writeFileSync(join(folder, "files", name), text);
  file("operator", "token of the operator");
  file("reader", "token of the reader");
  file(
    "access.yaml",
    `roles:
  - { role: operate, name: anna, token_file: operator }
  - { role: see, name: ben, token_file: reader }
  - { role: see, name: carl, token_file: carl, environments: [two/*, tow/*] }
`,
  );
  file("carl", "token of carl");
  state("all.yaml", source("one", one) + source("two", two));
  const access = ["--access-file", join(folder, "files", "access.yaml")];
  const reported = await startReceiver();
  const { url } = await startWith(
    { INFRASYNC_NOTIFY_URL: reported.url },
    "--sources",
    join(folder, "sources"),
    ...access,
  );
  const headers = (who: string) => ({
    authorization: `Bearer token of the ${who}`,
    "content-type": "application/json",
  });
  const statusNow = async () => {
    const answer = await fetch(`${url}/status.json`, { headers: headers("operator") });
    return (await answer.json()) as {
      sources: { name: string; state: string; stopped?: { left: string[] } }[];
      notes?: string[];
    };
  };
  const sources = async () => {
    const status = await statusNow();
    return status.sources
      .map(({ name, state: its, stopped }) => [name, its, ...(stopped ? [stopped.left] : [])])
      .toSorted();
  };
  const wait = { interval: 200, timeout: 30_000 };
  await expect.poll(sources, wait).toEqual([
    ["one", "synced"],
    ["two", "synced"],
  ]);
  // A pattern of the operator that some source has is none to tell.
  await expect.poll(async () => (await statusNow()).notes, wait).toHaveLength(1);
  expect((await statusNow()).notes).toEqual([expect.stringContaining("tow/*")]);
  state("all.yaml", source("first", one));
  const left = ["environment:two/staging", "project:two"];
  await expect.poll(sources, wait).toEqual([
    ["first", "synced"],
    ["two", "stopped", left],
  ]);
  // The receivers of the operator hear of it.
  const news = () =>
    reported.deliveries.flatMap(({ text }) => (JSON.parse(text) as { events: object[] }).events);
  await expect
    .poll(news, wait)
    .toContainEqual(expect.objectContaining({ type: "stopped", name: "two", left }));
  expect(news()).toContainEqual(expect.objectContaining({ type: "applied" }));
  // The journal of the source has gone along with its new name.
  const journal = await fetch(`${url}/sources/first/journal`, { headers: headers("operator") });
  expect(await journal.text()).toContain("is applied in one/staging: 1 created");
  const plan = await fetch(`${url}/sources/first/plans/1`, { headers: headers("operator") });
  expect(plan.headers.get("content-type")).toContain("text/plain");
  expect(await plan.text()).toMatch(
    /\+ Project one\n {2}\+ Environment one\/staging\n[^]*\n\nDone: 2 created\.\n/,
  );
  const acknowledge = async (who: string) => {
    const body = JSON.stringify({ source: "two" });
    return (await fetch(`${url}/acknowledge`, { method: "POST", headers: headers(who), body })).status;
  };
  expect(await acknowledge("reader")).toBe(403);
  expect(await acknowledge("operator")).toBe(200);
  await expect.poll(sources, wait).toEqual([["first", "synced"]]);
  expect(writesOf(await fixture.requests()).filter((line) => line.startsWith("DELETE"))).toEqual([]);
});
