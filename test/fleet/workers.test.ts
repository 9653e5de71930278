import { createHmac, randomUUID } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import type { ServiceStatus } from "../../reconciler/index.ts";
import { infrasync } from "../cli/captured.ts";
import { useFixture, writesOf } from "../cli/fixture.ts";
import { job, shop } from "../fixtures/manifests.ts";
import { useFleet } from "./fleet.ts";
import { statusOf, type Worker } from "./workers.ts";

const fixture = useFixture({ clock: "real", behaviour: { rate_limit: 0 } });
const fleet = useFleet(fixture);
const wait = { timeout: 60_000, interval: 100 };

test("migrate makes the tables, and again changes nothing; a worker without them says what to do", async () => {
  fleet.state(["one"]);
  await expect(fleet.start()).rejects.toThrow("run infrasync reconcile migrate");
  expect(await fleet.migrate()).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("were at version 0"),
  });
  expect(await fleet.migrate()).toMatchObject({ code: 0, stderr: expect.stringContaining("up to date") });
});

test("workers share the sources; others take over the sources of a killed or hanging worker within 20 s, with their memory", async () => {
  await fleet.migrate();
  const names = ["one", "two", "three", "four"];
  const repositories = fleet.state(names);
  const first = await fleet.start();
  const second = await fleet.start();
  const states = async (of: Worker) => (await statusOf(of)).sources.map(({ state }) => state);
  const synced = names.map(() => "synced");
  for (const worker of [first, second]) await expect.poll(() => states(worker), wait).toEqual(synced);
  // Each has about its share, and says who has the others.
  const owners = async () => Promise.all(names.map((name) => fleet.ownerOf(name)));
  await expect.poll(async () => new Set(await owners()).size, wait).toBe(2);
  const stopped = performance.now();
  first.child.process.kill("SIGSTOP");
  await expect
    .poll(async () => (await owners()).every((each) => each === second.child.process.pid), wait)
    .toBe(true);
  expect(performance.now() - stopped).toBeLessThan(20_000);
  // What the first one had applied is not applied again: the memory has gone along.
  const before = fleet.api.writes.length;
  for (const [name, repository] of repositories)
    repository.push({ "infra/b.yaml": job("b", "", `${name}/staging`) });
  await expect.poll(() => fleet.api.writes.length - before, wait).toBe(names.length);
  first.child.process.kill("SIGCONT");
  // It finds out that it has lost its right, and takes a part again.
  await first.child.says("another worker may run the source now");
  await expect.poll(async () => new Set(await owners()).size, wait).toBe(2);
  const killed = performance.now();
  second.child.process.kill("SIGKILL");
  await expect
    .poll(async () => (await owners()).every((each) => each === first.child.process.pid), wait)
    .toBe(true);
  expect(performance.now() - killed).toBeLessThan(20_000);
  expect(writesOf(await fixture.requests()).filter((line) => line.includes("job"))).toHaveLength(
    names.length,
  );
  const history = await fleet.postgres.query<{ count: number }>(
    "select count(*)::integer as count from infrasync.journal where source = 'one'",
  );
  expect(history[0]?.count).toBeGreaterThan(1);
});

test("what people have requested is in force before the first write of a source that declares the environment from now on", async () => {
  await fleet.migrate();
  fleet.state(["one"], { manifest: () => shop });
  const first = await fleet.start();
  await fleet.start();
  const states = async () => (await statusOf(first)).sources.map(({ name, state }) => `${name} ${state}`);
  await expect.poll(states, wait).toEqual(["one synced"]);
  const env = { INFRASYNC_DATABASE: fleet.postgres.url };
  const freeze = ["shop/staging", "--source", "one", "--for", "1h", "--reason", "inventory"];
  expect(await infrasync(["reconcile", "pause", ...freeze], { env })).toMatchObject({ code: 0 });
  // Its documents go to the repository of another team.
  rmSync(join(fleet.folder, "sources", "one.yaml"));
  const writes = fleet.api.writes.length;
  const after = fleet.state(["two"], { manifest: () => shop }).get("two");
  after?.push({ "infra/b.yaml": job("b") });
  await expect.poll(states, wait).toContainEqual("two waiting");
  expect(fleet.api.writes.slice(writes)).toEqual([]);
  expect(await infrasync(["reconcile", "resume", "shop/staging", "--source", "two"], { env })).toMatchObject({
    code: 0,
  });
  await expect.poll(() => fleet.api.writes.slice(writes).length, wait).toBe(1);
});

test("a worker that is cut off from the database sends nothing until it is back, also when the database dies", async () => {
  await fleet.migrate();
  const repository = fleet.state(["one"]).get("one");
  const { postgres } = fleet;
  const only = await fleet.start();
  await expect
    .poll(async () => (await statusOf(only)).sources.map(({ state }) => state), wait)
    .toEqual(["synced"]);
  const push = (name: string) => repository?.push({ [`infra/${name}.yaml`]: job(name, "", "one/staging") });
  for (const [name, cut, back] of [
    ["silent", async () => only.wire.silence(), async () => only.wire.restore()],
    ["dead", () => postgres.kill(), () => postgres.begin()],
  ] as const) {
    const before = fleet.api.writes.length;
    await cut();
    await sleep(3000);
    push(name);
    await sleep(6000);
    expect(fleet.api.writes.slice(before)).toEqual([]);
    expect(await (await fetch(only.url)).text()).toContain(
      "The database that the workers share cannot be used",
    );
    await back();
    await expect.poll(() => fleet.api.writes.slice(before).length, wait).toBe(1);
  }
});

test("a worker that loses its right in the middle of an apply begins no write after that, and another one goes on", async () => {
  await fleet.migrate();
  const repository = fleet.state(["one"]).get("one");
  const [first, second] = [await fleet.start(), await fleet.start()];
  const workers = [first, second];
  await expect
    .poll(async () => (await statusOf(first)).sources.map(({ state }) => state), wait)
    .toEqual(["synced"]);
  await fixture.fault({ method: "POST", path: "/**", delay_ms: 400 });
  let jobs = 0;
  for (const [lose, back] of [
    [(worker: Worker) => worker.wire.silence(), (worker: Worker) => worker.wire.restore()],
    [
      (worker: Worker) => worker.child.process.kill("SIGSTOP"),
      (worker: Worker) => worker.child.process.kill("SIGCONT"),
    ],
  ] as const) {
    const owner = await vi.waitFor(async () => {
      const pid = await fleet.ownerOf("one");
      return (
        workers.find(({ child }) => child.process.pid === pid) ?? expect.fail("no worker has the source")
      );
    }, wait);
    const before = fleet.api.writes.length;
    const names = Array.from({ length: 80 }, () => `job-${(jobs += 1)}`);
    repository?.push({
      [`infra/${names[0]}.yaml`]: names.map((name) => job(name, "", "one/staging")).join(""),
    });
    await expect.poll(() => fleet.api.writes.length - before, wait).toBeGreaterThan(5);
    lose(owner);
    const lost = Date.now();
    // The right is the other one's after this.
    await expect.poll(() => fleet.ownerOf("one"), wait).not.toBe(owner.child.process.pid);
    const taken = Date.now();
    back(owner);
    await expect.poll(() => fleet.api.writes.length - before, wait).toBe(names.length);
    const late = fleet.api.writes.filter(
      ({ worker, started }) => worker === owner.name && started > lost + 2000,
    );
    expect(late).toEqual([]);
    expect(taken - lost).toBeLessThan(20_000);
  }
  const made = (await fixture.requests()).filter((line) => line === "POST /environment/{id}/job");
  expect(made).toHaveLength(jobs);
});

test("any worker shows every source, passes on the actions of people and webhooks, and a source without a worker is an alarm", async () => {
  await fleet.migrate();
  const names = ["one", "two", "three", "four"];
  writeFileSync(join(fleet.folder, "files", "secret"), "s3cret");
  writeFileSync(join(fleet.folder, "operator"), "token-of-the-operator");
  writeFileSync(join(fleet.folder, "reader"), "token-of-two");
  writeFileSync(join(fleet.folder, "approver"), "token-of-four");
  const access = join(fleet.folder, "access.yaml");
  writeFileSync(
    access,
    `roles:\n  - { role: operate, name: anna, token_file: ${join(fleet.folder, "operator")} }\n  - { role: operate, name: bob, token_file: ${join(fleet.folder, "reader")}, sources: [two] }\n  - { role: approve, name: carl, token_file: ${join(fleet.folder, "approver")}, sources: [four] }\n`,
  );
  const repositories = fleet.state(names, {
    more: (name) =>
      `webhook_secret_file: secret\ninterval: 1h\npolicy: { on_commit: ${name === "four" ? "report" : "apply"} }\n`,
  });
  const flags = ["--access-file", access, "--webhook-listen", "127.0.0.1:0"];
  const all = [await fleet.start({}, flags), await fleet.start({}, flags)] as const;
  const anna = { authorization: "Bearer token-of-the-operator" };
  const bob = { authorization: "Bearer token-of-two" };
  const owners = () => Promise.all(names.map((name) => fleet.ownerOf(name)));
  await expect
    .poll(async () => new Set(await owners()), wait)
    .toEqual(new Set(all.map(({ child }) => child.process.pid)));
  const isOwner = (pid: number | undefined) => (worker: Worker) => worker.child.process.pid === pid;
  const owner = all.find(isOwner(await fleet.ownerOf("one")));
  const other = all.find((worker) => worker !== owner);
  if (!owner || !other) throw new Error("no workers");
  const at = (worker: Worker, path: string, init: RequestInit = {}) =>
    fetch(`${worker.url}/sources/one${path}`, { headers: anna, ...init });
  // Both say the same of a source that one of them has.
  const synced = async (worker: Worker) =>
    ((await (await at(worker, "/status.json")).json()) as { synced?: number }).synced;
  for (const worker of all) await expect.poll(() => synced(worker), wait).toBe(1);
  for (const path of ["/", "/journal", "/audit", "/metrics"]) {
    const [here, there] = [await at(owner, path), await at(other, path)];
    expect([path, there.status, there.headers.get("content-type")]).toEqual([
      path,
      200,
      here.headers.get("content-type"),
    ]);
  }
  // What people ask there is done here, and those who may not see a source are refused there, too.
  const action = { method: "POST", body: JSON.stringify({ type: "pause", for: "1h", reason: "a move" }) };
  const json = { "content-type": "application/json" };
  const paused = await at(other, "/requests", { ...action, headers: { ...anna, ...json } });
  expect([paused.status, await paused.json()]).toEqual([
    200,
    { message: expect.stringContaining("Nothing is applied") },
  ]);
  expect((await at(other, "/requests", { ...action, headers: { ...bob, ...json } })).status).toBe(404);
  expect((await at(owner, "/requests", { ...action, headers: { ...bob, ...json } })).status).toBe(404);
  const wrong = { method: "POST", body: JSON.stringify({ type: "approve", environment: "one/nowhere" }) };
  expect((await at(other, "/requests", { ...wrong, headers: { ...anna, ...json } })).status).toBe(403);
  expect(await (await at(owner, "/audit")).text()).toContain("anna");
  const forged = { ...json, "x-infrasync-passed": randomUUID() };
  expect((await at(other, "/requests", { ...action, headers: forged })).status).toBe(401);
  const resumed = { method: "POST", body: JSON.stringify({ type: "resume" }) };
  expect((await at(other, "/requests", { ...resumed, headers: { ...anna, ...json } })).status).toBe(200);
  // Whoever may write to the database asks there; the worker that has the source obeys, and confirms it.
  const ask = (...args: string[]) =>
    infrasync(["reconcile", ...args, "--database", fleet.postgres.url], { env: { HOME: fleet.folder } });
  const held = async () =>
    ((await (await at(other, "/status.json")).json()) as ServiceStatus).environments.flatMap(
      ({ name: environment, suspended = [] }) => suspended.map(({ reason }) => `${environment}: ${reason}`),
    );
  const pause = ["pause", "one/staging", "--for", "1h", "--reason", "a move"];
  const confirmed = { code: 0, stderr: expect.stringContaining("Nothing is applied in one/staging") };
  expect(await ask(...pause, "--source", "one")).toMatchObject(confirmed);
  expect(await held()).toEqual(["one/staging: a move"]);
  expect(await ask("resume", "one/staging", "--source", "one")).toMatchObject({ code: 0 });
  expect(await held()).toEqual([]);
  expect(await ask(...pause, "--source", "nobody")).toMatchObject({ code: 3 });
  // So is the form of a browser, which has signed in.
  const ownerOfFour = await fleet.ownerOf("four");
  const browsed = all.find((worker) => worker.child.process.pid !== ownerOfFour) ?? expect.fail("no worker");
  const entered = await fetch(`${browsed.url}/enter`, {
    method: "POST",
    body: new URLSearchParams({ token: "token-of-four" }),
    redirect: "manual",
  });
  const cookie = entered.headers
    .getSetCookie()
    .map((each) => each.split(";")[0])
    .join("; ");
  const browse = async (path: string, init: RequestInit = {}) =>
    fetch(`${browsed.url}${path}`, { ...init, headers: { cookie, accept: "text/html" }, redirect: "manual" });
  const pageOfFour = async () => (await browse("/sources/four/")).text();
  await expect.poll(pageOfFour, wait).toContain("Approve this plan");
  const [form = ""] = /<form[^>]*>(?:(?!<\/form>)[^])*Approve this plan/.exec(await pageOfFour()) ?? [];
  const fields = [...form.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(
    ([, key = "", value = ""]): [string, string] => [key, value],
  );
  const post = (body: URLSearchParams) => browse("/sources/four/requests", { method: "POST", body });
  const unproved = new URLSearchParams(fields.filter(([key]) => key !== "_csrf"));
  expect((await post(unproved)).status).toBe(403);
  const madeBefore = fleet.api.writes.length;
  expect((await post(new URLSearchParams(fields))).status).toBe(303);
  await expect.poll(pageOfFour, wait).toMatch(/is approved/);
  await expect.poll(() => fleet.api.writes.length - madeBefore, wait).toBe(1);
  expect(await (await browse("/sources/four/audit")).text()).toContain("carl");
  // The search of the overview knows the sources of both.
  for (const worker of all) {
    const found = await (await fetch(`${worker.url}/?q=FOU`, { headers: anna })).text();
    expect([...found.matchAll(/href="sources\/(\w+)\/"/g)].map(([, name]) => name)).toEqual(["four"]);
    const none = await (await fetch(`${worker.url}/?q=five`, { headers: anna })).text();
    expect(none).toContain("Nothing matches");
  }
  // A webhook that comes to a worker without the source reaches the one that has it: it would look in an hour.
  const before = fleet.api.writes.length;
  repositories.get("one")?.push({ "infra/b.yaml": job("b", "", "one/staging") });
  const body = JSON.stringify({ ref: "refs/heads/main" });
  const signature = createHmac("sha256", "s3cret").update(body).digest("hex");
  const hinted = await fetch(`${other.webhookUrl}/one`, {
    method: "POST",
    body,
    headers: { ...json, "x-hub-signature-256": `sha256=${signature}`, "x-github-event": "push" },
  });
  expect(hinted.status).toBe(202);
  await expect.poll(() => fleet.api.writes.length - before, wait).toBe(1);
  // A worker without the database says at once that it does not know who works on a source.
  const blind = { ...anna };
  owner.child.process.kill("SIGSTOP");
  other.wire.silence();
  const reported = async () => {
    const status = (await (await fetch(`${other.url}/status.json`, { headers: blind })).json()) as {
      sources: { name: string; state: string }[];
    };
    return status.sources.find(({ name }) => name === "one")?.state;
  };
  await expect.poll(reported, wait).toBe("unknown");
  expect(await (await fetch(`${other.url}/`, { headers: anna })).text()).toContain("out of date");
  const metrics = await (await fetch(`${other.url}/metrics`, { headers: anna })).text();
  expect(metrics).toContain('infrasync_source_in_doubt{source="one",team="one"} 1');
  expect(metrics).toContain("infrasync_database_up 0");
  expect((await at(other, "/status.json")).status).toBe(504);
});

test("an environment that the sources of two workers describe is written by neither", async () => {
  await fleet.migrate();
  const more = () => "projects: [shop]\n";
  fleet.state(["one", "two"], { manifest: () => shop, more });
  await Promise.all([fleet.start(), fleet.start()]);
  const claims = () =>
    fleet.postgres.query<{ source: string }>(
      `select distinct mine.source from infrasync.claim mine join infrasync.claim other using (organization, key)
       where mine.source <> other.source order by mine.source`,
    );
  await expect.poll(claims, wait).toEqual([{ source: "one" }, { source: "two" }]);
  const states = () =>
    fleet.postgres.query("select source, state from infrasync.source_status order by source");
  await expect.poll(states, wait).toEqual(["one", "two"].map((source) => ({ source, state: "blocked" })));
  expect(writesOf(await fixture.requests())).toEqual([]);
});
