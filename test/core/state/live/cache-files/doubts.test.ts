import { copyFile, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isFields } from "../../../../../core/values/json.ts";
import { readCacheFile, writeCacheFile } from "../../../../../core/state/live/cache-files/file.ts";
import { CacheKey } from "../../../../../core/state/live/cache-files/key.ts";
import { summary } from "../../../../fixtures/harness.ts";
import { useHarness } from "../../../../fixtures/use-harness.ts";
import { parsePattern } from "../../../../../core/index.ts";
import { propose as proposeWith } from "../../../../../core/execution/session/index.ts";
import { desiredOf } from "../../../../fixtures/desired.ts";
import { openPolicy } from "../../../../fixtures/policy.ts";
import { jobs, KeptRuns, minute } from "./runs.ts";
import { removeFolder } from "../../../../fixtures/remove-folder.ts";

const harness = useHarness();
const runs = new KeptRuns(harness);
const text = jobs(1, 3);
/** What a plan of these jobs reads in any case, and the events. */
const least = 4;

async function storeFile(): Promise<string> {
  const [name = ""] = await readdir(runs.folder);
  return join(runs.folder, name);
}

test("a deletion reads the parts that are deleted with it, and stops if they changed without an event", async () => {
  await runs.settle(text);
  await runs.plan(text, {}, "destroy");
  await runs.changeVariable("j1", "NAME", "changed manually", "missing");
  await harness.advance(minute);
  const { plan, run } = await runs.plan(text, {}, "destroy");
  const { outcomes } = await harness.apply(plan, run);
  const failed = outcomes.filter(({ status }) => status === "failed");
  expect(failed).toMatchObject([{ code: "changed" }]);
  expect(failed[0]?.message).toContain("the variable NAME of job j1 would be lost");
  expect(await harness.idOf("shop/e0/JOB j1")).toBeDefined();

  // What that look has read is remembered, so that the next run can name it.
  const next = await runs.plan(text, {}, "destroy");
  const report = await harness.apply(next.plan, next.run);
  expect(report.outcomes.map(({ status }) => status)).toEqual(report.outcomes.map(() => "done"));
});

test("a change whose event is missing is found when its resource is changed, and within the longest age in any case", async () => {
  await runs.settle(text);
  await runs.plan(text);
  await runs.changeVariable("j1", "NAME", "changed manually", "missing");
  await harness.advance(minute);
  expect(summary((await runs.plan(text)).plan)).toEqual([]);

  const edited = text.replace(/(NAME: "value of e0\/j1", LEVEL:) info/, "$1 debug");
  const { plan } = await runs.plan(edited);
  expect(
    plan.actions
      .flatMap(({ changes }) => changes)
      .map(({ before }) => before)
      .toSorted(),
  ).toEqual(["changed manually", "info"]);

  await runs.changeVariable("j2", "NAME", "changed manually too", "missing");
  await harness.advance(31 * 60 * minute);
  expect(summary((await runs.plan(text)).plan)).toHaveLength(2);
});

test("an event about an environment makes runs forget the parts inside it, also if the environment has not been read yet", async () => {
  const both = jobs(2, 3);
  await runs.settle(both);
  await runs.plan(both);
  const run = runs.start();
  const propose = async (...targets: string[]) => {
    const policy = { ...openPolicy, targets: targets.map((target) => parsePattern(target)) };
    await harness.forgetRequests();
    const { resources } = desiredOf(both);
    const { plan } = await proposeWith(run, harness.organization, "reconcile", resources, policy);
    return { plan, lists: (await harness.seen()).filter(({ path }) => path === "/variable").length };
  };
  expect((await propose("shop/e0/*")).lists).toBe(0);
  // As one who follows the events learns it.
  run.live.forget({ id: await harness.idOf("shop/e1"), parentId: await harness.idOf("shop") });
  expect((await propose()).lists).toBe(3);
  // As where events are missing.
  run.live.parts.forgetAll();
  expect((await propose()).lists).toBe(3);
});

test("an older copy of a store is brought up to date by the events since", async () => {
  await runs.settle(text);
  await runs.plan(text);
  const file = await storeFile();
  const older = join(runs.folder, "copy");
  await copyFile(file, older);
  await runs.changeVariable("j1", "NAME", "changed manually");
  await harness.advance(minute);
  await runs.plan(text);
  await harness.advance(20 * minute);
  await copyFile(older, file);
  const { plan, requests } = await runs.plan(text);
  expect(summary(plan)).toHaveLength(1);
  expect(requests).toBe(least + 1);
});

test("a store of another token or another server is no store", async () => {
  await runs.settle(text);
  await runs.plan(text);
  expect((await runs.plan(text)).requests).toBe(least);
  const mine = await storeFile();
  for (const other of [{ token: "another" }, { baseUrl: "https://other.example.com" }])
    expect((await runs.plan(text, other)).plan.cached).toBeUndefined();
  const others = (await readdir(runs.folder)).map((name) => join(runs.folder, name));
  expect(others.length).toBeGreaterThan(1);
  // Under the name of another one, it is not believed either.
  for (const other of others) if (other !== mine) await copyFile(mine, other);
  expect((await runs.plan(text, { token: "another" })).plan.cached).toBeUndefined();
});

test.each(["server", "machine"])(
  "a store is not believed while the clock of the %s is ahead",
  async (whose) => {
    await runs.settle(text);
    await runs.plan(text);
    if (whose === "machine") harness.clock.advance(61 * minute);
    else await harness.api("POST", "/_emulator/clock", { advance_ms: 61 * minute });
    const { plan, requests } = await runs.plan(text, { maxAge: 1440 * minute });
    expect(plan.cached).toBeUndefined();
    expect(requests).toBe(least - 1 + 3);
  },
);

test("a store is not believed after the clock of the server has gone back", async () => {
  await runs.settle(text);
  await runs.plan(text);
  const [file, key] = [await storeFile(), new CacheKey(harness.emulator.tokens.admin)];
  const state = await readCacheFile(file, key);
  if (!state) throw new Error("there is no store");
  const later = (time: number) => time + 10 * minute;
  const lists = [...state.lists].map(([place, list]) => [place, { ...list, at: later(list.at) }] as const);
  for (const [looked, requests] of [
    [state.looked, least - 1 + 3],
    [later(state.looked), least - 1 + 3],
  ] as const) {
    await writeCacheFile(file, { ...state, looked, lists: new Map(lists) }, key);
    expect(await runs.plan(text)).toMatchObject({ requests });
  }
});

test("plans work where the store cannot be written", async () => {
  await runs.settle(text);
  const { folder } = runs;
  await removeFolder(folder);
  await writeFile(folder, "no folder");
  expect(summary((await runs.plan(text)).plan)).toEqual([]);
  await rm(folder);
  await mkdir(folder);
  await runs.plan(text);
  expect((await runs.plan(text)).requests).toBe(least);
});

test("plans and applies that run at the same time leave a store that is true", async () => {
  await runs.settle(text);
  await runs.plan(text);
  const edited = text.replace("value of e0/j1", "another value");
  await Promise.all([
    ...Array.from({ length: 4 }, () => runs.plan(text)),
    (async () => {
      const { plan, run } = await runs.plan(edited);
      await harness.apply(plan, run);
      await run.live.parts.save();
    })(),
    ...Array.from({ length: 4 }, () => runs.plan(text)),
  ]);
  await harness.advance(minute);
  expect(summary((await runs.plan(edited)).plan)).toEqual([]);
  expect(summary((await runs.plan(text)).plan)).toHaveLength(1);
});

test("a remembered setting is undeclared if it has not its default, however often a strict plan asks", async () => {
  await runs.settle(text);
  const path = `/job/${await harness.idOf("shop/e0/JOB j1")}/advancedSettings`;
  const live = await harness.api("GET", path);
  await harness.api("PUT", path, { ...(isFields(live) && live), "build.timeout_max_sec": 5 });
  await harness.advance(minute);
  const { resources } = desiredOf(text);
  for (const remembered of [0, 2]) {
    const { plan } = await proposeWith(runs.start(), harness.organization, "reconcile", resources, {
      ...openPolicy,
      strict: true,
    });
    expect(plan.notes.map(({ message }) => message)).toEqual([
      "advanced setting build.timeout_max_sec is set, and no document declares it",
      expect.stringMatching(/^3 services are not deployed/),
    ]);
    expect(plan.cached?.resources ?? 0).toBeGreaterThanOrEqual(remembered);
  }
});

test("a setting of which only a hash is remembered is not called undeclared: it may have its default", async () => {
  const set = text.replace(
    "kind: Job\n",
    "kind: Job\nadvanced_settings: { job.delete_ttl_seconds_after_finished: 5 }\n",
  );
  await runs.settle(set);
  for (const plan of [await runs.plan(set), await runs.plan(set)])
    expect(plan.plan.notes.filter(({ code }) => code === "undeclared_field")).toEqual([]);
});
