import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { KeptParts } from "../../../core/live/index.ts";
import { propose, startRun } from "../../../core/session/index.ts";
import { jobs } from "../../core/live/kept/runs.ts";
import { desiredOf } from "../../fixtures/desired.ts";
import { openPolicy } from "../../fixtures/policy.ts";
import { startBench } from "../fixture.ts";

const minute = 60_000;
const people = 15;

test("a working hour of 15 people, a reconciler and CI fits into one token of 1,000 requests an hour", async () => {
  const folder = await mkdtemp(join(tmpdir(), "infrasync-day-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const bench = await startBench({}, "admin", {}, { clock: "frozen", rateLimit: 1000 });
  const { server, clock, repository, reconciler } = bench;
  const { emulator, organization } = server;
  let text = jobs(5, 20);
  const pass = async (minutes: number) => {
    clock.advance(minutes * minute);
    await server.advance(minutes * minute);
  };
  /** A plan in a process of its own, with the cache of a person or of CI. */
  const plan = async (who: string) => {
    await mkdir(join(folder, who), { recursive: true });
    const kept = new KeptParts({
      folder: join(folder, who),
      token: emulator.tokens.admin,
      baseUrl: emulator.url,
      maxAge: 60 * minute,
      fresh: false,
    });
    const run = startRun(server.client, { kept });
    const { resources } = desiredOf(text);
    return (await propose(run, organization, "reconcile", resources, openPolicy)).plan;
  };
  const spentIn = async (work: () => Promise<void>): Promise<number> => {
    await server.forgetRequests();
    await work();
    const seen = await server.seen();
    expect(seen.filter(({ status }) => status === 429)).toEqual([]);
    return seen.length;
  };
  /** An hour: the reconciler looks each minute, each person plans once, and three commits are planned by CI and merged. */
  const hour = async () => {
    for (let now = 0; now < 60; now += 1) {
      await pass(1);
      if (now % 4 === 0) await plan(`person-${now / 4}`);
      if (now % 20 === 10) {
        text = text.replace(/value of e0\/j1.*?"/, `value of e0/j1 at ${now}"`);
        expect((await plan("ci")).actions.filter(({ type }) => type === "update")).toHaveLength(1);
        repository.push({ "infra/all.yaml": text });
      }
      const { type } = await reconciler.cycle();
      expect(type).toBe(now % 20 === 10 ? "applied" : "in_step");
    }
  };

  repository.push({ "infra/all.yaml": text });
  const setUp = await spentIn(async () => {
    for (let cycle = 0; cycle < 3; cycle += 1) {
      await pass(1);
      await reconciler.cycle();
    }
  });
  // The first plan of each reads everything, so that they share some hours; then comes a night.
  await pass(60);
  for (let person = 0; person < people; person += 1) {
    await plan(`person-${person}`);
    if (person % 5 === 4) await pass(61);
  }
  await plan("ci");
  await pass(12 * 60);
  await reconciler.cycle();
  await pass(61);
  expect(setUp).toBeLessThan(250);
  expect(await spentIn(hour)).toBeLessThan(600);
});
