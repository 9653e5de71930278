import assert from "node:assert/strict";
import { inspect } from "node:util";
import fc from "fast-check";
import { ApiError, parsePattern } from "../../core/index.ts";
import type { Fields } from "../../core/json.ts";
import { type Round, type Schedule, schedules } from "./arbitrary.ts";
import { canary, seed } from "./bystander.ts";
import { fastClock } from "./clock.ts";
import { lostDocuments } from "./lost.ts";
import type { Run } from "./run.ts";
import { Stage } from "./stage.ts";
import { bystandersOf, idsOf, stateOf } from "./state.ts";

/** What has been tried, and what came of it. */
export interface Figures {
  schedules: number;
  /** Attempts under faults. */
  runs: number;
  /** Requests to which something was really done. */
  faults: number;
  requests: number;
  /** How the attempts ended: `complete`, `failed`, `stopped: quota`, `no plan`. */
  ends: Record<string, number>;
}

const policy = { prune: true, allowReplace: [parsePattern("**")] };

/** Long enough for a server that answers: what does not end by itself is an error of ours. */
const patience = { clone: 600_000, deletion: 600_000, busy: 600_000 };

/**
 * Runs seeded schedules of faults one after the other. After each, one run without faults has to bring the server to
 * the very state that it has when nothing ever goes wrong.
 *
 * @param path replays one of them, as fast-check prints it
 * @throws when an invariant does not hold, with the seed and the path that replay it
 */
export async function runSchedules(
  count: number,
  seedOfRun: number,
  path?: string,
  onSchedule?: (figures: Figures) => void,
): Promise<Figures> {
  await using theatre = new Theatre();
  await fc.assert(
    fc.asyncProperty(schedules, async (schedule) => {
      await theatre.play(schedule);
      onSchedule?.(theatre.figures);
    }),
    { numRuns: count, seed: seedOfRun, endOnFailure: true, ...(path !== undefined && { path }) },
  );
  return theatre.figures;
}

/** Servers, one pair of each sort: on one of them things go wrong. */
class Theatre {
  readonly figures: Figures = { schedules: 0, runs: 0, faults: 0, requests: 0, ends: {} };
  readonly #pairs = new Map<string, Promise<[subject: Stage, reference: Stage]>>();

  async [Symbol.asyncDispose](): Promise<void> {
    const pairs = await Promise.all(this.#pairs.values());
    await Promise.all(pairs.flat().map((stage) => stage[Symbol.asyncDispose]()));
  }

  /** One schedule. Throws when an invariant does not hold. */
  async play({ server, before, after, rounds }: Schedule): Promise<void> {
    const [subject, reference] = await this.#pair(server);
    await Promise.all([subject.reset(), reference.reset()]);
    await Promise.all(
      [subject, reference].map((stage) => stage.succeed(before, { policy, limits: patience })),
    );
    const bystanders = await bystandersOf(subject);
    const [subjectIds, referenceIds] = await Promise.all([idsOf(subject), idsOf(reference)]);
    await reference.succeed(after, { policy, limits: patience });

    for (const round of rounds) await this.#attempt(subject, after, round);
    await subject.succeed(after, { policy, limits: patience });

    const { plan } = await subject.run(after, { policy });
    assert.deepEqual(
      plan.actions.filter(({ type }) => type !== "none").map(({ type, address }) => `${type} ${address}`),
      [],
      "one more run leaves nothing to do",
    );
    const [actual, expected] = await Promise.all([stateOf(subject), stateOf(reference)]);
    assert.deepEqual(actual.resources, expected.resources, "the end is as if nothing had gone wrong");
    assert.deepEqual(actual.events, expected.events, "nothing is made or deleted twice");
    assert.deepEqual(
      kept(subjectIds, await idsOf(subject)),
      kept(referenceIds, await idsOf(reference)),
      "what is not replaced stays the same resource",
    );
    assert.equal(await bystandersOf(subject), bystanders, "nothing outside of the manifests is touched");
    this.figures.schedules += 1;
  }

  async #attempt(stage: Stage, documents: readonly Fields[], round: Round): Promise<void> {
    await stage.breaks(...round.faults);
    const run = await this.#run(stage, documents, round);
    this.figures.runs += 1;
    this.figures.faults += await stage.mend();
    this.figures.requests += (await stage.requests()).length;
    if (!run) return;
    await checkReport(stage, run);
    const lost = lostDocuments(run.report);
    if (lost.length > 0) await stage.succeed(lost, { policy, limits: patience });
  }

  async #run(
    stage: Stage,
    documents: readonly Fields[],
    { parallelism, onQuota }: Round,
  ): Promise<Run | undefined> {
    const { ends } = this.figures;
    const count = (end: string) => {
      ends[end] = (ends[end] ?? 0) + 1;
    };
    try {
      const run = await stage.run(documents, {
        policy,
        parallelism,
        clock: fastClock(100),
        limits: { clone: 60_000, deletion: 60_000, busy: 20_000 },
        client: { onQuota, requestTimeout: 200 },
      });
      const { outcomes, stopped } = run.report;
      const isComplete = outcomes.every(({ status }) => status === "done");
      count(stopped ? `stopped: ${stopped.reason}` : isComplete ? "complete" : "failed");
      return run;
    } catch (error) {
      // Nothing can be planned while reads fail; a plan that cannot be would be our mistake.
      if (!(error instanceof ApiError)) throw error;
      refuseCanary(error);
      count("no plan");
      return undefined;
    }
  }

  #pair(server: Schedule["server"]): Promise<[Stage, Stage]> {
    const key = JSON.stringify(server);
    const open = () => Stage.open({ ...server, seed });
    const pair = this.#pairs.get(key) ?? Promise.all([open(), open()]);
    this.#pairs.set(key, pair);
    return pair;
  }
}

/** What a report says is so. */
async function checkReport(stage: Stage, { plan, report }: Run): Promise<void> {
  refuseCanary({ plan, report });
  assert.equal(report.outcomes.length, plan.actions.length, "the report tells of every action");
  const ids = new Set((await idsOf(stage)).values());
  for (const { address, type, status, id } of report.outcomes) {
    if (status !== "done" || id === undefined) continue;
    assert.equal(ids.has(id), type !== "delete", `${address} is reported as done, and is not: ${type} ${id}`);
  }
}

function refuseCanary(value: unknown): void {
  const text = inspect(value, { depth: 20, showHidden: true, maxStringLength: null, maxArrayLength: null });
  assert(!text.includes(canary), `the token shows in ${text}`);
}

/** The paths whose resource is the same before and after. */
function kept(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  return [...before].flatMap(([path, id]) => (after.get(path) === id ? [path] : [])).toSorted();
}
