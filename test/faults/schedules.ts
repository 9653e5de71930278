import assert from "node:assert/strict";
import type fc from "fast-check";
import { ApiError, formatReference, InvalidInputError, type Outcome } from "../../core/index.ts";
import type { Fields } from "../../core/values/json.ts";
import { hasChanges, type Plan } from "../../core/planning/plan/index.ts";
import { type Listed, listedIn } from "./belongings.ts";
import { Witness } from "./witness.ts";
import { entriesIn, type Round, type Schedule, schedules, type ServerOptions } from "./random-schedules.ts";
import { steppingClock } from "../fixtures/fast-clock.ts";
import { lostDocuments } from "./lost-documents.ts";
import { run as tryTo, type Run } from "../fixtures/plan-and-apply.ts";
import { Hostile } from "../fixtures/hostile-server.ts";
import { type Lists, type Manner, Manners } from "./server-quirks.ts";
import { putRight } from "./repair-by-hand.ts";
import { runSeeded, type Seeded } from "./seeded.ts";
import type { FaultyServer } from "../fixtures/faulty-server.ts";
import { type Everything, idsOf, listsOf } from "./server-state.ts";
import { limits, policy, refuseCanary, ReferenceComparison } from "./reference-comparison.ts";

/** The number of tries and their results. */
export interface Figures {
  schedules: number;
  /** Attempts under faults. */
  runs: number;
  /** Requests that a fault was applied to. */
  faults: number;
  /** What a person has done between a plan and its apply. */
  operations: number;
  /** Requests that a server with quirks has treated differently. */
  quirks: number;
  /** Resources that existed twice or under another name, as a report said, and were repaired by hand. */
  putRight: number;
  requests: number;
  /**
   * Manifests of resources that a replacement had deleted and could not create again, and which an apply then restored.
   */
  recovered: number;
  /** How the attempts ended: `complete`, `failed`, `stopped: quota`, `no plan`. */
  ends: Record<string, number>;
}

/** The figures before the first try. */
export function noFigures(): Figures {
  return {
    schedules: 0,
    runs: 0,
    faults: 0,
    operations: 0,
    quirks: 0,
    putRight: 0,
    requests: 0,
    recovered: 0,
    ends: {},
  };
}

/**
 * Runs seeded schedules of faults one after the other. After each, one run without faults has to bring the server to
 * the very state that it has when nothing ever goes wrong.
 *
 * @param drawn which schedules; those without variables and secrets when left out
 * @throws when an invariant does not hold, with the seed that replays it
 */
export async function runSchedules(
  seeded: Seeded,
  drawn: fc.Arbitrary<Schedule> = schedules,
): Promise<Figures> {
  await using comparison = new ReferenceComparison();
  const figures = noFigures();
  await runSeeded(drawn, seeded, async (schedule) => {
    await comparison.compare(schedule, async (stage) => {
      let earlier: Lists = new Map();
      const listed: Listed[] = [];
      for (const [index, round] of schedule.rounds.entries()) {
        const next = schedule.rounds[index + 1];
        const lists = next && isRecalled(next) ? await listsOf(stage) : new Map<string, string>();
        await attempt(stage, schedule, round, earlier, listed, figures);
        earlier = lists;
      }
    });
    figures.schedules += 1;
  });
  return figures;
}

/** @param listed what the plans of all attempts lose: what one has deleted may go during the next */
async function attempt(
  stage: FaultyServer,
  schedule: Schedule,
  drawn: Round,
  earlier: Lists,
  listed: Listed[],
  figures: Figures,
): Promise<void> {
  const { server, after, deploys = false } = schedule;
  const round = { ...drawn, quirks: drawn.quirks.filter(({ manner }) => isBearable(manner, drawn, server)) };
  await stage.breaks(...round.faults);
  const manners = new Manners(round.quirks, earlier);
  const witness = new Witness(stage, listed);
  const operations = isRecalled(round) ? [] : entriesIn(schedule, round.operations);
  const planned = async (plan: Plan) => {
    listed.push(...listedIn(plan));
    figures.operations += await witness.sees(operations);
  };
  const run = await tryOnce(stage, after, { ...round, deploys, planned }, manners);
  figures.runs += 1;
  figures.quirks += manners.met;
  figures.faults += await stage.mend();
  await witness.checks();
  figures.requests += (await stage.requests()).length;
  const end = endOf(run);
  figures.ends[end] = (figures.ends[end] ?? 0) + 1;
  if (!run) return;
  const everything = await stage.everything();
  checkReport(everything, run, { isAtRest: isAtRest(server), isRecalled: isRecalled(round) });
  figures.putRight += await putRight(stage, run.report, everything);
  const lost = lostDocuments(run.report);
  figures.recovered += lost.length;
  if (lost.length > 0) await stage.succeed(lost, { policy, limits });
}

/**
 * Whether infrasync promises anything for a server with this quirk. One that shows old lists, and does not reserve the
 * names of documents or stores other ones, gets a second resource, because infrasync keeps no state file.
 */
function isBearable(
  { way }: Manner,
  { quirks }: Round,
  { duplicate_names: allowsDuplicateNames }: ServerOptions,
): boolean {
  const isReserving = !allowsDuplicateNames && !quirks.some(({ manner }) => manner.way === "renames");
  return way !== "recalls" || isReserving;
}

/** Whether the run sees lists that may be older than itself. */
function isRecalled({ quirks }: Pick<Round, "quirks">): boolean {
  return quirks.some(({ manner }) => manner.way === "recalls");
}

/** Whether no operation that an earlier attempt requested can still take effect. */
function isAtRest({ clone_delay_ms: cloneDelay, delete_delay_ms: deleteDelay }: ServerOptions): boolean {
  return cloneDelay + deleteDelay === 0;
}

/** A run under faults; undefined when the faults prevent a plan. */
async function tryOnce(
  stage: FaultyServer,
  documents: readonly Fields[],
  {
    parallelism,
    onQuota,
    quirks,
    waits,
    deploys,
    planned,
  }: Round & { deploys: boolean; planned: (plan: Plan) => Promise<void> },
  manners: Manners,
): Promise<Run | undefined> {
  await using hostile =
    quirks.length > 0 ? await Hostile.open(stage.connection.url, manners.treat) : undefined;
  const { connection } = stage;
  try {
    return await tryTo(hostile ? { ...connection, url: hostile.url } : connection, documents, {
      policy: { ...policy, deploy: deploys },
      parallelism,
      ...(waits && { wait: 60_000 }),
      clock: steppingClock(),
      limits: { clone: 60_000, deletion: 60_000, busy: 20_000 },
      client: { onQuota, requestTimeout: 1000 },
      planned,
    });
  } catch (error) {
    // Planning fails while reads fail, and is refused when an old list lacks a resource whose document is not complete. Any
    // other refused plan would be a bug of infrasync.
    const isOldList = isRecalled({ quirks }) && error instanceof InvalidInputError;
    if (!(error instanceof ApiError) && !isOldList) throw error;
    refuseCanary(error);
    return undefined;
  } finally {
    await hostile?.settled();
  }
}

function endOf(run: Run | undefined): string {
  if (!run) return "no plan";
  const { outcomes, stopped } = run.report;
  if (stopped) return `stopped: ${stopped.reason}`;
  return outcomes.every(({ status }) => status === "done") ? "complete" : "failed";
}

/** Checks that a report is true. */
function checkReport(
  everything: Everything,
  { plan, report }: Run,
  when: { isAtRest: boolean; isRecalled: boolean },
): void {
  refuseCanary({ plan, report });
  // A plan without changes is not carried out.
  const actions = hasChanges(plan) ? plan.actions.length : 0;
  assert.equal(report.outcomes.length, actions, "the report tells of every action");
  const paths = idsOf(everything);
  const ids = new Set(paths.values());
  const addresses = new Set(
    [...paths.keys()].map((path) => path.replace(/\w+ (?=[^/]*$)/, "").toLowerCase()),
  );
  for (const outcome of report.outcomes) {
    const { id: action, address, type, status, resourceId: id } = outcome;
    // What a plan leaves alone is what a list showed, and the list may be old.
    if (type === "none" && when.isRecalled) continue;
    if (status === "done" && id !== undefined)
      assert.equal(ids.has(id), type !== "delete", `${action} is reported as done, and is not: ${id}`);
    if (!when.isAtRest || when.isRecalled || !isUntouched(outcome)) continue;
    const isThere = addresses.has(formatReference(address.names).toLowerCase());
    const reported = `${status} ${outcome.code ?? ""}: ${outcome.message ?? ""}`;
    assert.equal(isThere, type === "delete", `${action} is reported as untouched (${reported}), and is not`);
  }
}

/** The outcomes of a creation that has created a resource. */
const made = new Set(["unclear", "duplicated", "renamed"]);

/** Whether a report says that a creation or deletion has not happened. */
function isUntouched({ type, status, code = "" }: Outcome): boolean {
  if (!["create", "clone", "delete"].includes(type)) return false;
  return status === "skipped" || (status === "failed" && !made.has(code));
}
