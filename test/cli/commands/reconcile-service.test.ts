import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { type WaitTarget, outcomeOf } from "../../../cli/service/wait.ts";
import type { FleetStatus, ServiceStatus } from "../../../reconciler/index.ts";
import { GitRepository } from "../../fixtures/git-repository.ts";
import { json, serveReplies } from "../../fixtures/http-server.ts";
import { job, shop } from "../../fixtures/manifests.ts";
import { type Child, spawnInfrasync } from "../child.ts";
import { useFixture, writesOf } from "../fixture.ts";
import { removeFolder } from "../../fixtures/remove-folder.ts";

// A look a second is more than the share of a usual quota.
const fixture = useFixture({ behaviour: { rate_limit: 0 } });
let repository: GitRepository;

beforeEach(() => {
  repository = new GitRepository();
  return () => repository[Symbol.dispose]();
});

/** Starts the service as a process; it is ended with the test. */
function start(...args: string[]): Child {
  return startWith(args, {});
}

function startWith(args: readonly string[], environment: Record<string, string>): Child {
  const given = [
    "--repo",
    repository.origin,
    "--path",
    "infra",
    "--allow-local-repo",
    "--yes",
    "--interval",
    "1s",
    "--listen",
    "off",
  ];
  const child = spawnInfrasync(["reconcile", ...given, ...args], {
    ...fixture.env,
    INFRASYNC_GIT_TOKEN: "git-token-canary",
    ...environment,
  });
  onTestFinished(() => void child.process.kill("SIGKILL"));
  return child;
}

/** The lines of a log. */
function linesOf(stderr: string): Record<string, unknown>[] {
  return stderr
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

test("the service applies commits as they come, survives mistakes and a repository that has gone, and ends with 0", async () => {
  repository.push({ "infra/shop.yaml": shop });
  const child = start();
  await child.says("the commit is applied");
  repository.push({ "infra/a.yaml": job("a", "colour: red") });
  await child.says("has mistakes");
  const commit = repository.push({ "infra/a.yaml": job("a") });
  await child.says(`"commit":"${commit}"`);
  repository.atOrigin("update-ref", "-d", "refs/heads/main");
  await child.says("the repository has no branch main");
  child.process.kill("SIGTERM");
  const { code, stdout, stderr } = await child.ended;
  expect({ code, stdout }).toEqual({ code: 0, stdout: '{"url":null,"webhook_url":null}\n' });
  const lines = linesOf(stderr);
  expect(lines.at(-1)).toMatchObject({ msg: "stopped", signal: "SIGTERM" });
  expect(lines.find(({ msg }) => String(msg).includes("has mistakes"))).toMatchObject({
    level: 40,
    type: "mistakes",
    reasons: [expect.stringMatching(/^infra\/a\.yaml:\d+: .*no field "colour"/)],
  });
  expect(stderr).not.toContain(fixture.emulator.tokens.admin);
  expect(stderr).not.toContain("git-token-canary");
  expect(writesOf(await fixture.requests())).toEqual([
    "POST /organization/{id}/project",
    "POST /project/{id}/environment",
    "POST /environment/{id}/job",
  ]);
});

test("a service whose data folder is removed says so, and applies nothing until it is started again", async () => {
  const data = join(repository.folder, "data");
  repository.push({ "infra/shop.yaml": shop });
  const child = start("--data", data);
  await child.says("the commit is applied");
  await removeFolder(data);
  repository.push({ "infra/a.yaml": job("a") });
  await child.says(`the data folder ${data} was removed or replaced`);
  expect(writesOf(await fixture.requests())).toHaveLength(2);
  child.process.kill("SIGTERM");
  expect((await child.ended).code).toBe(0);
  const again = start("--data", data);
  await again.says("the commit is applied");
  expect(writesOf(await fixture.requests())).toHaveLength(3);
  again.process.kill("SIGTERM");
  expect((await again.ended).code).toBe(0);
});

test("while the requests of people are damaged, nothing is applied, and the service compares and says why", async () => {
  const data = join(repository.folder, "data");
  mkdirSync(data);
  writeFileSync(join(data, "requests.json"), "{}");
  repository.push({ "infra/shop.yaml": shop });
  const child = start("--data", data);
  await child.says(`paused by the service (**): ${join(data, "requests.json")} is damaged`);
  const status = await fixture.run(["reconcile", "status", "--data", data]);
  expect(status.stdout).toContain("shop/staging");
  expect(status.stdout).toContain(`paused by the service (**): ${join(data, "requests.json")} is damaged`);
  const refused = await fixture.run(["reconcile", "sync", "--data", data]);
  expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining("delete the file") });
  expect(writesOf(await fixture.requests())).toEqual([]);
  rmSync(join(data, "requests.json"));
  await child.says("the commit is applied");
  child.process.kill("SIGTERM");
  expect((await child.ended).code).toBe(0);
});

test("the page of the service says how it stands, as does reconcile status, and both end with it", async () => {
  const overtaken = repository.push({ "infra/shop.yaml": shop });
  const newest = repository.push({ "infra/shop.yaml": shop + job("a", "cpu: 500") });
  const child = start("--listen", "0");
  const [line] = (await once(child.process.stdout, "data")) as [Buffer];
  const { url } = JSON.parse(String(line)) as { url: string };
  const listen = url.replace("http://", "");
  await child.says("the commit is applied");
  expect(
    await fixture.run(["apply", await fixture.write("b.yaml", shop + job("a", "cpu: 750")), "--yes"]),
  ).toMatchObject({ code: 0 });
  await child.says("has drift");
  const ran = await fixture.run(["reconcile", "status", "--listen", listen]);
  expect(ran.stdout).toMatch(
    /^shop\/staging [a-z ]+, 0 of 1 environments synced with [0-9a-f]{7}, checked \d+ (?:s|min) ago\n/,
  );
  expect(ran.stdout).toMatch(
    /shop\/staging {2}drift for \d+ (?:s|min), [0-9a-f]{7} applied\n {2}job:shop\/staging\/a {2}update by /,
  );
  expect(ran.stdout).toContain("    cpu 500 -> 750\n");
  const wait = async (...args: string[]) =>
    (await fixture.run(["reconcile", "wait", "--listen", listen, ...args])).code;
  expect(await wait("shop", "--to", newest.slice(0, 8))).toBe(0);
  // The awaited commit was overtaken by the one that is applied.
  expect(await wait("shop", "--to", overtaken)).toBe(0);
  const late = await fixture.run([
    "reconcile",
    "wait",
    "--listen",
    listen,
    "shop",
    "--to",
    "deadbeef",
    "--for",
    "1s",
  ]);
  expect(late).toMatchObject({
    code: 2,
    stderr: "Not reached within 1s: shop is not synced with deadbeef.\n",
  });
  expect(await wait("nope/nope", "--for", "1s")).toBe(3);
  expect(await wait("shop/staging", "--for", "1s")).toBe(2);
  expect(await wait("--for", "soon")).toBe(3);
  const printed = await fixture.run(["reconcile", "status", "--listen", listen, "--output", "json"]);
  expect(JSON.parse(printed.stdout)).toMatchObject({ ok: true, synced: 0, stale: false });
  const page = await fetch(url).then((answer) => answer.text());
  expect(page).toContain("cpu 500 -&gt; 750");
  expect(page).toContain("What to paste");
  child.process.kill("SIGTERM");
  expect((await child.ended).code).toBe(0);
  expect(await fixture.run(["reconcile", "status", "--listen", listen])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`no service answers at ${url}`),
  });
});

test.each([
  [["--listen", "0.0.0.0:8081"], "others could read the page"],
  [["--listen", "nowhere"], '--listen "nowhere" is not an address'],
  [["status", "--listen", "off"], "the address of the service is not known"],
])("reconcile %j is refused before anything is read", async (args, message) => {
  const given = ["--repo", repository.origin, "--allow-local-repo", "--yes"];
  const ran = await fixture.run(["reconcile", ...args, ...(args[0] === "status" ? [] : given)]);
  expect(ran).toMatchObject({ code: 3, stderr: expect.stringContaining(message) });
});

test.each([
  ["budget_share: read=0", 'budget_share "read=0" is not a share of the quota'],
  ['budget_share: "read=20,idle=5"', 'budget_share "idle=5" is not a share of the quota'],
  ["on_commit: undo", 'reconcile.on_commit: "undo" is not a mode'],
  ["previews: 1", "reconcile.previews must be true or false, not the number 1"],
  ["interval: 5s", 'reconcile has no member "interval"'],
])(
  "the section reconcile of the settings file with %s is refused before anything is read",
  async (member, message) => {
    const config = await fixture.write("operator.yaml", `reconcile: { ${member} }\n`);
    const given = ["--repo", repository.origin, "--allow-local-repo", "--yes", "--config", config];
    const ran = await fixture.run(["reconcile", ...given]);
    expect(ran).toMatchObject({ code: 3, stderr: expect.stringContaining(message) });
    expect(await fixture.requests()).toEqual([]);
  },
);

test("SIGTERM lets the write under way finish, starts no other, and reports both", async () => {
  repository.push({ "infra/shop.yaml": shop });
  await fixture.fault({ method: "POST", path: "/organization/*/project", delay_ms: 2000 });
  const child = start();
  await fixture.arrival("POST /organization/{id}/project");
  child.process.kill("SIGTERM");
  const { code, stderr } = await child.ended;
  expect(code).toBe(0);
  expect(linesOf(stderr)).toContainEqual(
    expect.objectContaining({ type: "applied", changes: [{ address: "project:shop", action: "create" }] }),
  );
  expect(linesOf(stderr)).toContainEqual(
    expect.objectContaining({
      type: "failed",
      environment: "shop/staging",
      reasons: ["environment:shop/staging: the run had stopped"],
    }),
  );
  expect(writesOf(await fixture.requests())).toEqual(["POST /organization/{id}/project"]);
});

test("SIGTERM ends the service while the API answers nothing, and the next one finds out what became of the write", async () => {
  repository.push({ "infra/shop.yaml": shop });
  await fixture.fault({ method: "POST", path: "/organization/*/project", delay_ms: 45_000, times: 1 });
  const child = start();
  await fixture.arrival("POST /organization/{id}/project");
  child.process.kill("SIGTERM");
  const { code, stderr } = await child.ended;
  expect(code).toBe(1);
  expect(linesOf(stderr).at(-1)).toMatchObject({
    signal: "SIGTERM",
    msg: "stopped while the API had not answered a request; the next start checks the result of that request",
  });
  const next = start();
  await next.says("the commit is applied");
  next.process.kill("SIGTERM");
  expect((await next.ended).code).toBe(0);
  const same = await fixture.write("shop.yaml", shop);
  expect(await fixture.run(["plan", same, "--detailed-exitcode"])).toMatchObject({ code: 0 });
});

test("a service reads its token anew, so that a new one needs no restart", async () => {
  repository.push({ "infra/shop.yaml": shop });
  const file = await fixture.write("token", "an-old-token");
  const child = startWith([], { INFRASYNC_TOKEN: "", INFRASYNC_TOKEN_FILE: file });
  await child.says("the cycle has failed");
  await fixture.write("token", fixture.emulator.tokens.admin);
  await child.says("the commit is applied");
  child.process.kill("SIGTERM");
  const { code, stderr } = await child.ended;
  expect(code).toBe(0);
  expect(stderr).not.toContain("an-old-token");
  expect(stderr).not.toContain(fixture.emulator.tokens.admin);
});

test("an API that fails ends neither the service nor anything else", async () => {
  repository.push({ "infra/shop.yaml": shop });
  await fixture.fault({ method: "GET", path: "/organization", status: 401, times: 1 });
  const child = start();
  await child.says('"code":"unauthorized"');
  await child.says("the commit is applied");
  child.process.kill("SIGINT");
  expect((await child.ended).code).toBe(0);
});

test("the service undoes drift where both the policy and --on-drift say so", async () => {
  const documents = (cpu: number) => shop + job("a", `cpu: ${cpu}`);
  repository.push({ "infra/shop.yaml": documents(500), "infra/infrasync.reconcile.yaml": "on_drift: apply" });
  const change = await fixture.write("changed.yaml", documents(750));
  for (const [flags, says] of [
    [[], "has drift"],
    [["--on-drift", "apply"], "is reverted to"],
  ] as const) {
    const child = start(...flags);
    await child.says('"commit":');
    expect(await fixture.run(["apply", change, "--yes"])).toMatchObject({ code: 0 });
    await child.says(says);
    child.process.kill("SIGTERM");
    const { code, stderr } = await child.ended;
    expect(code).toBe(0);
    if (says === "has drift") expect(stderr).toContain('"fields":["cpu 500 -> 750"]');
  }
});

test("a push is applied after its webhook, however seldom the repository is looked at", async () => {
  const secret = "webhook-secret-canary";
  repository.push({ "infra/shop.yaml": shop });
  const secretFile = await fixture.write("secret", `${secret}\n`);
  const child = startWith(["--webhook-listen", "0", "--interval", "1h"], {
    INFRASYNC_WEBHOOK_SECRET_FILE: secretFile,
  });
  const [line] = (await once(child.process.stdout, "data")) as [Buffer];
  const { url, webhook_url: webhook } = JSON.parse(String(line)) as { url: null; webhook_url: string };
  expect(url).toBeNull();
  expect(webhook).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/webhook\/git$/);
  await child.says("the commit is applied");
  const commit = repository.push({ "infra/a.yaml": job("a") });
  const forged = await fetch(webhook, { method: "POST", headers: { "x-gitlab-token": "guessed" } });
  expect(forged.status).toBe(401);
  const pushed = await fetch(webhook, { method: "POST", headers: { "x-gitlab-token": secret } });
  expect(pushed.status).toBe(202);
  await child.says(`"commit":"${commit}"`);
  child.process.kill("SIGTERM");
  const { code, stderr } = await child.ended;
  expect(code).toBe(0);
  expect(stderr).not.toContain(secret);
});

/** @param more `contains`: the environments with the awaited commit; undefined: the newest commit does not contain it */
const status = (more: object, ...environments: [string, string][]) =>
  ({
    format: "infrasync-reconcile-status",
    checked_at: "2026-12-01T08:00:00Z",
    commit: "bbbb",
    problems: [],
    environments: environments.map(([name, state]) => ({ name, state, applied: "bbbb" })),
    ...more,
  }) as unknown as ServiceStatus;
const newest = (...applied: string[]) => ({
  contains: { commit: "aaaa", newest: true, applied_in: applied },
});
const missing = { contains: { commit: "aaaa", newest: false, applied_in: [] } };
const commit = "aaaa";

test.each<[string, ServiceStatus | FleetStatus, WaitTarget, string]>([
  ["all synced", status({}, ["shop", "synced"], ["shop/a", "unwatched"]), {}, "reached"],
  ["one is being deployed", status({}, ["shop", "synced"], ["shop/a", "deploying"]), {}, "waiting"],
  [
    "another one is being deployed",
    status({}, ["shop/a", "synced"], ["shop/b", "deploying"]),
    { environment: "Shop/A" },
    "reached",
  ],
  [
    "no document declares the environment",
    status({}, ["shop/a", "synced"]),
    { environment: "shop/b" },
    "unmanaged",
  ],
  [
    "the commit that declares the environment is not there yet",
    status(missing, ["shop/a", "synced"]),
    { environment: "shop/b", commit },
    "waiting",
  ],
  [
    "the commit is there, and does not describe the environment",
    status(newest("shop/a"), ["shop/a", "synced"]),
    { environment: "shop/b", commit },
    "unmanaged",
  ],
  ["one has failed", status({}, ["shop/a", "synced"], ["shop/b", "unhealthy"]), {}, "failed"],
  ["one was rolled back", status(newest(), ["shop/a", "rolled_back"]), { commit }, "failed"],
  [
    "the commit is not there yet, and the one before has failed",
    status(missing, ["shop/a", "failed"]),
    { commit },
    "waiting",
  ],
  ["the commit waits for its window", status(newest(), ["shop/a", "waiting"]), { commit }, "waiting"],
  [
    "a commit that contains it is applied",
    status(newest("shop/a"), ["shop/a", "synced"]),
    { commit },
    "reached",
  ],
  [
    "a commit that contains it has failed",
    status(newest("shop/a"), ["shop/a", "failed"]),
    { commit },
    "failed",
  ],
  [
    "the commit has mistakes",
    status({ ...newest(), not_applied: true }, ["shop/a", "synced"]),
    { commit },
    "failed",
  ],
  ["nobody knows", status({ in_doubt: {} }, ["shop/a", "synced"]), {}, "waiting"],
  ["nothing was compared yet", status({ checked_at: undefined }), {}, "waiting"],
])("wait: %s", (_what, given, awaited, outcome) => {
  expect(outcomeOf(given, awaited)).toBe(outcome);
});

test.each([
  [["status", "shop/staging"], "reconcile status applies to all environments, not to one"],
  [["status", "--to", "aaaa"], "reconcile status does not use --to"],
  [["status", "--repo", "https://git.example.com/a.git"], "reconcile status does not use --repo"],
  [["sync", "--for", "2h"], "reconcile sync does not use --for"],
  [["refresh", "--plan", "aaaa"], "reconcile refresh does not use --plan"],
  [["wait", "--reason", "none"], "reconcile wait does not use --reason"],
  [["wait", "--to", "nothing"], '--to "nothing" is not the id of a commit'],
  [["wait", "--database", "postgres://db.example.com/x"], "--database leads to a service only with --source"],
  [["wait", "--url", "http://127.0.0.1:1", "--data", "state"], "--url and --data name two services"],
  [["wait", "--url", "http://127.0.0.1:1", "--listen", "8081"], "--url and --listen name two services"],
  [["wait", "--data", "state", "--listen", "8081"], "--data and --listen name two services"],
  [
    ["migrate", "--database", "postgres://db.example.com/x", "--source", "one"],
    "reconcile migrate does not use --source",
  ],
])("reconcile %j is refused, because it does not use what it is given", async (args, message) => {
  expect(await fixture.run(["reconcile", ...args])).toMatchObject({
    code: 3,
    stderr: expect.stringContaining(message),
  });
});

test.each([
  [["shop/staging"], 3],
  [["--to", "deadbeef"], 3],
  [[], 0],
])("wait %j against a service with many sources ends with %i", async (args, code) => {
  const { url } = await serveReplies(
    json(200, {
      format: "infrasync-fleet-status",
      sources: [{ name: "one", state: "synced", environments: [], synced: 0 }],
      problems: [],
    }),
  );
  const ran = await fixture.run(["reconcile", "wait", "--url", url, ...args]);
  expect(ran).toMatchObject({
    code,
    stderr: code === 0 ? "" : expect.stringContaining("with --source (one)"),
  });
});

/** A span as OTLP has it in JSON. */
interface SentSpan {
  name: string;
  spanId: string;
  parentSpanId?: string;
  attributes: { key: string; value: object }[];
  status: { message?: string };
}

test("each cycle, plan and write is a span of OpenTelemetry where its variables name a receiver, by the proxy that is set, without values and secrets", async () => {
  const { url: proxy, received } = await serveReplies(json(200, {}));
  repository.push({ "infra/shop.yaml": shop + job("a", "variables: { LEVEL: value-canary }") });
  const child = startWith([], {
    OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector.invalid",
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
    HTTP_PROXY: proxy,
  });
  await child.says("the commit is applied");
  child.process.kill("SIGTERM");
  expect((await child.ended).code).toBe(0);
  expect(new Set(received.map((each) => each.url))).toEqual(new Set(["http://collector.invalid/v1/traces"]));
  const bodies = received.map(({ body }) => body);
  for (const canary of ["value-canary", "git-token-canary", fixture.emulator.tokens.admin])
    expect(bodies.join("")).not.toContain(canary);
  const sent = bodies.map(
    (body) => JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: SentSpan[] }[] }[] },
  );
  expect(bodies[0]).toContain('{"key":"service.name","value":{"stringValue":"infrasync"}}');
  const spans = sent.flatMap(({ resourceSpans }) =>
    resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((each) => each.spans)),
  );
  const write = spans.find(({ name }) => name === "write");
  const cycle = spans.find(({ spanId }) => spanId === write?.parentSpanId);
  expect(cycle?.name).toBe("cycle");
  const inside = spans.filter(({ parentSpanId }) => parentSpanId === cycle?.spanId);
  expect(inside.map(({ name }) => name)).toContain("plan");
  const writes = inside.filter(({ name }) => name === "write");
  expect(writes).toHaveLength(writesOf(await fixture.requests()).length);
  expect(writes[0]?.attributes).toEqual([
    { key: "http.request.method", value: { stringValue: "POST" } },
    {
      key: "url.path",
      value: { stringValue: expect.stringMatching(/^\/organization\/[0-9a-f-]+\/project$/) },
    },
    { key: "http.response.status_code", value: { intValue: 200 } },
  ]);
});

test.each([
  ["at once", "spans of cycles, plans and writes are sent", "away"],
  ["after a commit", "the commit is applied", "away"],
  ["after a commit", "the commit is applied", "refusing"],
])(
  "a service that is ended %s ends with 0, also where its spans do not arrive",
  async (_when, said, receiver) => {
    const { url } = receiver === "away" ? { url: "http://127.0.0.1:1" } : await serveReplies(json(400, {}));
    repository.push({ "infra/shop.yaml": shop });
    const child = startWith([], { OTEL_EXPORTER_OTLP_ENDPOINT: url });
    await child.says(said);
    child.process.kill("SIGTERM");
    const { code, stderr } = await child.ended;
    expect([code, linesOf(stderr).map(({ msg }) => msg)]).toEqual([0, expect.arrayContaining(["stopped"])]);
  },
);
