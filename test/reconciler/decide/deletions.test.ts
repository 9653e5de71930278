import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { clockByServer } from "../../../core/api/index.ts";
import type { Fields } from "../../../core/values/json.ts";
import { desiredOf } from "../../fixtures/desired.ts";
import { application, job, shop } from "../../fixtures/manifests.ts";
import { type Bench, startBench } from "../fixture.ts";
import { inWords } from "../cycle-words.ts";

const hour = 3_600_000;
const pruning = shop.replace("mode: STAGING", "mode: STAGING\nmanage: { prune: true }");
const policyFile = "infra/infrasync.reconcile.yaml";
const names = Array.from({ length: 4 }, (_, index) => `job-${index}`);
const files = Object.fromEntries(names.map((name) => [`infra/${name}.yaml`, job(name)]));

/** How many jobs there are. */
async function jobsOf({ server }: Bench): Promise<number> {
  return [...(await server.everything()).keys()].filter((name) => name.includes("JOB")).length;
}

test("three commits that each delete one thing meet a daily cap of two, and the last one goes on a day later", async () => {
  const bench = await startBench({ prune: true }, "admin", { deletesPerDay: 2 });
  const { repository, clock } = bench;
  repository.push({ "infra/shop.yaml": pruning, ...files });
  await bench.cycle();
  for (const name of names.slice(0, 2)) {
    repository.push({ [`infra/${name}.yaml`]: undefined });
    clock.advance(hour);
    expect((await bench.cycle()).end.type).toBe("applied");
  }
  repository.push({ "infra/job-2.yaml": undefined, "infra/more.yaml": job("more", "cpu: 500") });
  clock.advance(hour);
  const { end, requests } = await bench.cycle();
  expect(end).toMatchObject({
    type: "blocked",
    problems: [
      {
        code: "too_many",
        message: "1 would be deleted or replaced, after 2 in the last 24 hours; 2 a day are allowed",
        advice: expect.stringMatching(/^wait until 2\S+Z, or raise the limit by day$/),
      },
    ],
  });
  expect(requests.filter((request) => !request.startsWith("GET "))).toEqual([]);
  expect(await jobsOf(bench)).toBe(2);
  // The count survives a restart, and the first deletion is a day old now.
  bench.reconciler = bench.restart();
  clock.advance(hour);
  expect((await bench.cycle()).end.type).toBe("blocked");
  clock.advance(21 * hour);
  expect((await bench.cycle()).end.type).toBe("applied");
  expect(await jobsOf(bench)).toBe(2);
});

test.each([
  ["lost", (file: string) => rmSync(file)],
  ["damaged", (file: string) => writeFileSync(file, "{broken")],
])("the daily cap survives a data folder that is %s: the events say what was deleted", async (_, spoil) => {
  const bench = await startBench({ prune: true }, "admin", { deletesPerDay: 2 });
  const { repository, clock, server } = bench;
  repository.push({ "infra/shop.yaml": pruning, ...files });
  await bench.cycle();
  repository.push({ "infra/job-0.yaml": undefined, "infra/job-1.yaml": undefined });
  expect((await bench.cycle()).end.type).toBe("applied");
  // What a person deletes in the console does not count.
  await server.api("DELETE", `/job/${await server.idOf("shop/staging/JOB job-3")}`);
  spoil(join(repository.folder, "data", "state.json"));
  bench.reconciler = bench.restart();
  // What it does not know to be its own it does not delete.
  repository.push({ "infra/job-3.yaml": undefined });
  expect((await bench.cycle()).end.type).toBe("synced");
  repository.push({ "infra/job-2.yaml": undefined });
  clock.advance(hour);
  await server.advance(hour);
  const blocked = {
    type: "blocked",
    problems: [
      {
        message:
          "1 would be deleted or replaced, after 2 in the last 24 hours (2 by admin with infrasync); 2 a day are allowed",
      },
    ],
  };
  expect((await bench.cycle()).end).toMatchObject(blocked);
  bench.reconciler = bench.restart();
  expect((await bench.cycle()).end).toMatchObject(blocked);
  clock.advance(24 * hour);
  await server.advance(24 * hour);
  expect((await bench.cycle()).end.type).toBe("applied");
});

test("the daily cap counts deletions of several services with data folders of their own, each deletion once", async () => {
  const bench = await startBench({ prune: true }, "admin", { deletesPerDay: 3 });
  const { repository } = bench;
  const cycleOf = (reconciler: typeof bench.reconciler) => {
    bench.reconciler = reconciler;
    return bench.cycle();
  };
  const [one, other] = [bench.reconciler, bench.restart("other")];
  repository.push({ "infra/shop.yaml": pruning, ...files });
  await cycleOf(one);
  await cycleOf(other);
  repository.push({ "infra/job-0.yaml": undefined });
  expect((await cycleOf(one)).end.type).toBe("applied");
  await cycleOf(other);
  repository.push({ "infra/job-1.yaml": undefined });
  expect((await cycleOf(other)).end.type).toBe("applied");
  repository.push({ "infra/job-2.yaml": undefined, "infra/job-3.yaml": undefined });
  const blocked = {
    type: "blocked",
    problems: [
      { message: expect.stringContaining("2 would be deleted or replaced, after 2 in the last 24 hours") },
    ],
  };
  const first = await cycleOf(one);
  expect(first.end).toMatchObject(blocked);
  // What it counts comes from the look at the events that every cycle takes.
  expect(first.requests.filter((request) => request.endsWith("/events"))).toHaveLength(1);
  expect((await cycleOf(other)).end).toMatchObject(blocked);
  expect((await cycleOf(bench.restart())).end).toMatchObject(blocked);
});

test.each([
  ["is wrong since it has jumped", true, "blocked"],
  ["is right", false, "applied"],
])("a day that the clock of the machine says has passed, which %s", async (_name, isWrong, type) => {
  let jump = 0;
  const bench = await startBench({ prune: true }, "admin", { deletesPerDay: 1 });
  const { repository, clock: machine } = bench;
  // As the answers of the server tell it.
  const clock = clockByServer(machine, () => (isWrong ? -jump : 0));
  bench.reconciler = bench.restart("data", "infra", { clock, machine });
  const pause = { pattern: "shop/staging", reason: "a migration", by: { id: "user:anna", name: "anna" } };
  repository.push({ "infra/shop.yaml": pruning, ...files });
  await bench.cycle();
  repository.push({ "infra/job-0.yaml": undefined });
  expect((await bench.cycle()).end.type).toBe("applied");
  jump = 25 * hour;
  machine.advance(jump);
  if (!isWrong) await bench.server.advance(jump);
  repository.push({ "infra/job-1.yaml": undefined });
  expect((await bench.cycle()).end.type).toBe(type);
  const until = machine.now() - (isWrong ? jump : 0) + hour;
  await bench.requests.change(
    { pauses: (all) => [...all, { ...pause, until, at: 0 }] },
    pause.by,
    machine.now(),
  );
  // Nor does a clock that has jumped end a pause for good.
  await bench.requests.change({}, pause.by, until + jump);
  repository.push({ "infra/more.yaml": job("more", "cpu: 500") });
  expect((await bench.cycle()).requests.filter((request) => request.startsWith("POST"))).toEqual([]);
});

test("what others have deleted since its memory began does not count against the limit of a source, also before its first deletion", async () => {
  const limits = { deletesPerDay: 2, organizationDeletesPerDay: 9 };
  const bench = await startBench({ prune: true }, "admin", limits);
  const { repository, clock, server } = bench;
  const other = bench.restart("other");
  const remove = (name: string) => repository.push({ [`infra/${name}.yaml`]: undefined });
  repository.push({ "infra/shop.yaml": pruning, ...files });
  for (const reconciler of [bench.reconciler, other]) await reconciler.cycle();
  clock.advance(hour);
  await server.advance(hour);
  for (const name of names.slice(0, 2)) {
    remove(name);
    expect(inWords(await other.cycle()).type).toBe("applied");
  }
  remove("job-2");
  expect(inWords(await bench.restart().cycle()).type).toBe("applied");
});

test.each([
  [
    "manually, which the events say",
    "infrasync-reconciler of main infra of github.com/acme/infra",
    "applied",
  ],
  ["itself, before it has lost its memory", "infrasync", "blocked"],
])("a source whose memory is new, and what was deleted %s", async (_by, program, type) => {
  const limits = { deletesPerDay: 2, organizationDeletesPerDay: 99 };
  const bench = await startBench({ prune: true }, "admin", limits);
  const { repository, clock, server } = bench;
  repository.push({ "infra/shop.yaml": pruning, ...files });
  await bench.cycle();
  for (const name of names.slice(0, 2)) {
    repository.push({ [`infra/${name}.yaml`]: undefined });
    expect((await bench.cycle()).end.type).toBe("applied");
  }
  clock.advance(hour);
  await server.advance(hour);
  // It knows which job is its own, and not what was deleted.
  const file = join(repository.folder, "data", "state.json");
  const {
    deletions: _gone,
    countedSince: _since,
    ...known
  } = JSON.parse(readFileSync(file, "utf8")) as Fields;
  writeFileSync(file, JSON.stringify({ ...known, began: clock.now() }));
  bench.reconciler = bench.restart("data", "infra", { program });
  repository.push({ "infra/job-2.yaml": undefined });
  const { end } = await bench.cycle();
  expect(end.type).toBe(type);
  if (type === "blocked")
    expect(end).toMatchObject({
      problems: [{ message: expect.stringContaining("(2 by admin with infrasync); 2 a day are allowed") }],
    });
});

test("deletions wait for a day if neither the data folder nor the events tell the deletions of the last day", async () => {
  const bench = await startBench({ prune: true });
  const { repository, clock, server } = bench;
  repository.push({ "infra/shop.yaml": pruning, ...files });
  await bench.cycle();
  await server.api("POST", "/_emulator/faults", [
    { method: "GET", path: "/organization/*/events", status: 403 },
  ]);
  repository.push({ "infra/job-0.yaml": undefined, "infra/more.yaml": job("more", "cpu: 500") });
  const unknown = {
    type: "blocked",
    problems: [
      {
        message: expect.stringContaining("the deletions of the last 24 hours are not known yet"),
        advice: expect.stringMatching(/^wait until 2\S+Z, or use a token that may read the events$/),
      },
    ],
  };
  expect((await bench.cycle()).end).toMatchObject(unknown);
  bench.reconciler = bench.restart();
  clock.advance(23 * hour);
  expect((await bench.cycle()).end).toMatchObject(unknown);
  clock.advance(hour);
  expect((await bench.cycle()).end.type).toBe("applied");
});

test("a commit can lower the caps and not raise them", async () => {
  const bench = await startBench({ prune: true }, "admin", { deletesPerDay: 2 });
  const { repository } = bench;
  const remove = (...gone: string[]) =>
    repository.push(Object.fromEntries(gone.map((name) => [`infra/${name}.yaml`, undefined])));
  repository.push({ "infra/shop.yaml": pruning, ...files, [policyFile]: "max_deletes: { day: 100 }" });
  await bench.cycle();
  remove("job-0", "job-1", "job-2");
  expect((await bench.cycle()).end).toMatchObject({
    type: "blocked",
    problems: [{ message: expect.stringContaining("2 a day are allowed") }],
  });
  repository.push({ ...files, "infra/job-0.yaml": undefined, [policyFile]: "max_deletes: { day: 1 }" });
  expect((await bench.cycle()).end.type).toBe("applied");
  remove("job-1");
  expect((await bench.cycle()).end).toMatchObject({
    type: "blocked",
    problems: [{ message: expect.stringContaining("1 a day are allowed") }],
  });
});

test("deletions of one commit in several cycles count together", async () => {
  const bench = await startBench({ prune: true, caps: { count: 2, percent: 100 } }, "admin", {
    deletesPerDay: 100,
  });
  const { repository, server } = bench;
  const production = pruning.slice(pruning.indexOf("---")).replace("name: staging", "name: production");
  const inProduction = (name: string) => job(name, "", "shop/production");
  const until = new Date(bench.clock.now() + hour).toISOString();
  const suspended = JSON.stringify({
    environments: { "shop/production": { suspend: { until, reason: "an audit" } } },
  });
  repository.push({
    "infra/shop.yaml": pruning + production,
    "infra/a.yaml": job("a"),
    "infra/b.yaml": inProduction("b"),
    "infra/c.yaml": inProduction("c"),
  });
  await bench.cycle();
  const gone = { "infra/a.yaml": undefined, "infra/b.yaml": undefined, "infra/c.yaml": undefined };
  repository.push({ ...gone, [policyFile]: suspended });
  // It fails, and is tried again: that does not count twice.
  await server.api("POST", "/_emulator/faults", [
    { method: "DELETE", path: `/job/${await server.idOf("shop/staging/JOB a")}`, status: 400, times: 1 },
  ]);
  expect((await bench.cycle()).end).toMatchObject({ type: "partly", stopped: { type: "incomplete" } });
  bench.clock.advance(60_000);
  expect((await bench.cycle()).end.type).toBe("partly");
  bench.clock.advance(2 * hour);
  expect((await bench.cycle()).end).toMatchObject({
    type: "blocked",
    problems: [{ code: "too_many", message: expect.stringContaining("has deleted or replaced 1 already") }],
  });
});

const lifecycle = job("a").replace(/schedule: .*/, "schedule: { on_start: {} }");

/** The consent that a finding asks for. */
function consentIn(end: object): string {
  return /"declared":"(replace-[0-9a-f]{16})"/.exec(JSON.stringify(end))?.[1] ?? "";
}

test("a consent in git allows just the replacement that the plan has printed", async () => {
  const bench = await startBench();
  const { repository, server } = bench;
  repository.push({ "infra/shop.yaml": shop, "infra/a.yaml": job("a") });
  await bench.cycle();
  repository.push({ "infra/a.yaml": lifecycle });
  const { end } = await bench.cycle();
  expect(end).toMatchObject({ type: "blocked", problems: [{ code: "replacement" }] });
  const consent = consentIn(end);
  expect(consent).not.toBe("");

  // The plan differs: another replacement, and one that loses more.
  const withConsent = `${lifecycle}\nmanage: { consent: ${consent} }`;
  repository.push({ "infra/a.yaml": withConsent.replace("on_start", "on_stop") });
  const other = await bench.cycle();
  expect(other.end).toMatchObject({ type: "blocked", problems: [{ code: "replacement" }] });
  const id = await server.idOf("shop/staging/JOB a");
  const variable = { key: "KEPT", value: "x", is_secret: false };
  await server.api("POST", "/variable", { ...variable, variable_parent_id: id, variable_scope: "JOB" });
  repository.push({ "infra/a.yaml": withConsent });
  bench.clock.advance(60_000);
  const more = await bench.cycle();
  expect(more.end).toMatchObject({ type: "blocked", problems: [{ code: "replacement" }] });
  expect(consentIn(more.end)).not.toBe(consent);
  expect(await server.idOf("shop/staging/JOB a")).toBe(id);

  repository.push({ "infra/a.yaml": `${lifecycle}\nmanage: { consent: ${consentIn(more.end)} }` });
  expect((await bench.cycle()).end.type).toBe("applied");
  expect(await server.idOf("shop/staging/JOB a")).not.toBe(id);
  // The document needs no change when the replacement is done.
  expect((await bench.cycle()).end.type).toBe("synced");
});

test("a consent in git lifts no protection, and is not for defaults", async () => {
  const bench = await startBench();
  const { repository } = bench;
  const protectedShop = shop.replace("mode: STAGING", "mode: STAGING\nmanage: { protect: true }");
  repository.push({ "infra/shop.yaml": shop, "infra/a.yaml": job("a") });
  await bench.cycle();
  repository.push({ "infra/shop.yaml": protectedShop, "infra/a.yaml": lifecycle });
  const { end } = await bench.cycle();
  repository.push({ "infra/a.yaml": `${lifecycle}\nmanage: { consent: ${consentIn(end)} }` });
  expect((await bench.cycle()).end).toMatchObject({ type: "blocked", problems: [{ code: "protected" }] });
  const defaults = `---\nkind: Defaults\nproject: shop\nfor: Job\nmanage: { consent: replace-0 }\n`;
  expect(desiredOf(shop + application("api") + defaults).problems).toMatchObject([
    { message: expect.stringContaining("manage.consent belongs to a single resource") },
  ]);
});
