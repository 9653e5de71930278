import { cp, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PartsCache } from "../../../core/state/live/index.ts";
import { propose, startRun } from "../../../core/execution/session/index.ts";
import { jobs } from "../../core/state/live/cache-files/runs.ts";
import { desiredOf } from "../../fixtures/desired.ts";
import { openPolicy } from "../../fixtures/policy.ts";
import { startBench } from "../fixture.ts";
import { inWords } from "../cycle-words.ts";
import { temporaryFolder } from "../../fixtures/temporary-folder.ts";

const minute = 60_000;
const people = 15;
const workingHours = 7;

/** Who has sent how many requests in an hour. */
type Spent = Record<"people" | "ci" | "reconciler", number>;

test("a day of 15 people with seven plans each, CI and a reconciler on 200 services fits into one token of 1,000 requests an hour", async () => {
  const folder = temporaryFolder("day");
  const bench = await startBench({}, "admin", {}, { clock: "frozen", behaviour: { rate_limit: 1000 } });
  const { server, clock, repository, reconciler } = bench;
  const { emulator, organization } = server;
  let text = jobs(10, 20);
  let desired = desiredOf(text);
  let spent: Spent = { people: 0, ci: 0, reconciler: 0 };
  const pass = async (minutes: number) => {
    clock.advance(minutes * minute);
    await server.advance(minutes * minute);
  };
  const counted = async <Result>(who: keyof Spent, work: () => Promise<Result>): Promise<Result> => {
    await server.forgetRequests();
    const result = await work();
    const seen = await server.seen();
    expect(seen.filter(({ status }) => status === 429)).toEqual([]);
    spent[who] += seen.length;
    return result;
  };
  /** A plan in a process of its own, with the cache of a person or of CI. */
  const plan = async (who: string) => {
    await mkdir(join(folder, who), { recursive: true });
    const kept = new PartsCache({
      folder: join(folder, who),
      token: emulator.tokens.admin,
      baseUrl: emulator.url,
      maxAge: 60 * minute,
      fresh: false,
    });
    const run = startRun(server.client, { cache: kept });
    return (await propose(run, organization, "reconcile", desired.resources, openPolicy)).plan;
  };
  /** An hour of work: each person plans once, three commits are planned by CI and merged, and the reconciler looks each minute. */
  const work = async (planning: number): Promise<Spent> => {
    spent = { people: 0, ci: 0, reconciler: 0 };
    for (let now = 0; now < 60; now += 1) {
      await pass(1);
      const isMerge = now % 20 === 10;
      if (now % 4 === 0 && now < planning * 4) await counted("people", () => plan(`person-${now / 4}`));
      if (isMerge) {
        text = text.replace(/value of e0\/j1.*?"/, `value of e0/j1 at ${clock.now()}"`);
        desired = desiredOf(text);
        const { actions } = await counted("ci", () => plan("ci"));
        expect(actions.filter(({ type }) => type === "update")).toHaveLength(1);
        repository.push({ "infra/all.yaml": text });
      }
      // The looks of one hour stand for those of the others.
      if (!isMerge && planning < people) continue;
      const { type } = inWords(await counted("reconciler", () => reconciler.cycle()));
      expect(type).toBe(isMerge ? "applied" : "synced");
    }
    return spent;
  };

  repository.push({ "infra/all.yaml": text });
  for (let cycle = 0; cycle < 3; cycle += 1) {
    await pass(1);
    await reconciler.cycle();
  }
  // The first plan of each has read everything on another day.
  await pass(61);
  await plan("ci");
  for (let person = 0; person < people; person += 1)
    await cp(join(folder, "ci"), join(folder, `person-${person}`), { recursive: true });
  await pass(12 * 60);
  await reconciler.cycle();
  const first = await work(people);
  const later = await work(1);
  const rest = workingHours - 1;
  expect(first.people + first.ci + first.reconciler).toBeLessThan(850);
  expect(first.people + rest * people * later.people).toBeLessThan(4_000);
  expect(first.ci + rest * later.ci).toBeLessThan(800);
  // An hour of the night has no merges.
  expect(24 * first.reconciler).toBeLessThan(4_500);
});
