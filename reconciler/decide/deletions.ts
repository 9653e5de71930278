import { defaultCaps, countedLossesOf, type Plan, type Policy } from "../../core/planning/plan/index.ts";
import type { Problem } from "../../core/problems/problem.ts";
import Type from "typebox";
import { form, optional } from "../../core/outputs/forms/forms.ts";
import type { StoredForm } from "../../core/files/stored-form.ts";
import { gitId } from "../git-id.ts";
import { isOfCommit } from "./causes.ts";
import type { CommitPolicy, OperatorRules } from "../policy/index.ts";

export const deletionForm = form({
  /** Milliseconds since 1970. */
  at: Type.Number(),
  /** The manifests that wanted it, by the id of their folder; absent: another process has deleted it. */
  tree: optional(gitId),
  /** The id of what was deleted, or of the resource from which something was; absent: nobody knows. */
  id: optional(Type.String()),
  /** Its key in the events of the organization; absent: they have not told of it yet. */
  event: optional(Type.String()),
  /** `job:shop/staging/a`, `the variable KEY of job:shop/staging/a`. */
  title: Type.String(),
  isDone: Type.Boolean(),
  /** The source that has wanted it, if that is another one and known. */
  source: optional(Type.String()),
  /** Whether it was drift: it does not count as one by its commit. */
  isDrift: optional(Type.Boolean()),
  /** Who has deleted it, where that is not in the memory of this source: `dev@example.com with infrasync`. */
  by: optional(Type.String()),
  /** It is from before the memory of this source, and of this source or of a program that nobody knows: it counts here. */
  isEarlier: optional(Type.Literal(true)),
});

/** Something that was deleted or replaced, or that somebody has begun to. */
export type Deletion = StoredForm<typeof deletionForm>;

/** The most that may be deleted or replaced. */
export interface DeletionLimits {
  /** By one state of the manifests, however many cycles that takes. */
  commit: number;
  /** In any 24 hours, by all commits of this source in all environments; of a service that is alone, also by others. */
  day: number;
  /** In any 24 hours, by all sources in the organization; absent: there is only this one. */
  organization?: number | undefined;
}

const day = 86_400_000;

/** The deletions so far, and their limit. */
export interface DeletionLedger {
  /** The manifests that plans are of, by the id of their folder. */
  tree: string;
  limits: DeletionLimits;
  deletions: readonly Deletion[];
  /** The time since which all deletions are known, in milliseconds since 1970; undefined if that has not been read yet. */
  countedSince: number | undefined;
}

/**
 * The limits of deletions: those of the operator, which commits can only lower.
 *
 * @param policies those of the commit and of the ones before it
 */
export function deletionLimits(
  policies: readonly CommitPolicy[],
  { caps }: Pick<Policy, "caps">,
  operator: OperatorRules,
): DeletionLimits {
  const stated = (limit: "commit" | "day") => policies.flatMap(({ maxDeletes }) => maxDeletes?.[limit] ?? []);
  const { deletesPerDay = defaultCaps.count, organizationDeletesPerDay: organization } = operator;
  return {
    commit: Math.min(caps.count, ...stated("commit")),
    day: Math.min(deletesPerDay, ...stated("day")),
    organization,
  };
}

/** The deletions of the last day, and those after now: the clock may have been set back. @param now milliseconds since 1970 */
export function recentDeletions<Timed extends Pick<Deletion, "at">>(
  deletions: readonly Timed[],
  now: number,
): Timed[] {
  return deletions.filter(({ at }) => at > now - day);
}

/** Why a plan may not delete anything now: it would exceed a limit together with what was deleted before. */
export function limitProblems(
  plan: Pick<Plan, "actions">,
  { tree, limits, deletions, countedSince }: DeletionLedger,
  now: number,
): Problem[] {
  const planned = countedLossesOf(plan).map(({ title }) => title);
  if (planned.length === 0) return [];
  if (countedSince === undefined || countedSince > now - day) return [uncounted(countedSince)];
  const before = recentDeletions(deletions, now).filter(
    // Deletions from a time when the clock was years ahead must not count for years.
    (each) => each.at < now + day && !isRetry(each, tree, planned),
  );
  const ofCommit = before.filter((each) => each.tree === tree && !each.isDrift).length;
  const drift = driftIn(plan);
  const byCommit = countedLossesOf(plan).filter(({ by }) => !drift.has(by)).length;
  const problems: Problem[] = [];
  if (ofCommit > 0 && byCommit > 0 && ofCommit + byCommit > limits.commit)
    problems.push({
      code: "too_many",
      message: `this commit has deleted or replaced ${ofCommit} already, and would delete or replace ${byCommit} more; ${limits.commit} are allowed`,
      advice: "do less at once",
      remedies: [{ setting: "max_deletes", value: String(ofCommit + byCommit) }],
      blocks: "apply",
    });
  const { organization = Infinity } = limits;
  const counted = limits.organization === undefined ? before : before.filter(countsHere);
  if (counted.length + planned.length > limits.day) {
    const where = counted.every(isOwn) ? "" : ` (${spenders(counted)})`;
    problems.push(tooManyOfDay(planned.length, counted, limits.day, where));
  } else if (before.length + planned.length > organization)
    problems.push(
      tooManyOfDay(planned.length, before, organization, ` in the organization (${spenders(before)})`),
    );
  return problems;
}

/** Whether this source has wanted a deletion. */
function isOwn({ tree }: Deletion): boolean {
  return tree !== undefined;
}

/** Whether a deletion counts against the limit of this source: a lost memory lifts no limit, and a known other client spends none. */
function countsHere(deletion: Deletion): boolean {
  return isOwn(deletion) || (deletion.isEarlier === true && deletion.source === undefined);
}

/** Who has deleted how much: `1 by this source, 9 by the source web`. */
function spenders(deletions: readonly Deletion[]): string {
  const byName = Map.groupBy(deletions, (each) =>
    isOwn(each)
      ? "this source"
      : each.source === undefined
        ? (each.by ?? "unknown clients")
        : `the source ${each.source}`,
  );
  return [...byName].map(([name, { length }]) => `${length} by ${name}`).join(", ");
}

function tooManyOfDay(planned: number, before: readonly Deletion[], limit: number, where = ""): Problem {
  const last = before.toSorted((left, right) => left.at - right.at)[before.length + planned - limit - 1];
  // So many have to be a day old.
  const until = last && timeText(last.at + day);
  return {
    code: "too_many",
    message: `${planned} would be deleted or replaced, after ${before.length} in the last 24 hours${where}; ${limit} a day are allowed`,
    advice:
      until === undefined
        ? "do less at once, or raise the limit by day"
        : `wait until ${until}, or raise the limit by day`,
    blocks: "apply",
  };
}

/** The problem of a deletion while nobody knows what was deleted in the last day. */
function uncounted(since: number | undefined): Problem {
  return {
    code: "too_many",
    message:
      "the deletions of the last 24 hours are not known yet: the data folder is new or was damaged, and the events of the organization do not show them",
    advice:
      since === undefined
        ? "wait until the events have been read"
        : `wait until ${timeText(since + day)}, or use a token that may read the events`,
    blocks: "apply",
  };
}

function timeText(time: number): string {
  return new Date(time).toISOString().replace(/\.\d+Z$/, "Z");
}

/** The deletions with those of a plan that is about to be carried out, so that a kill forgets none. */
export function withBegun(
  plan: Pick<Plan, "actions">,
  { tree, deletions }: Pick<DeletionLedger, "tree" | "deletions">,
  now: number,
): Deletion[] {
  const planned = countedLossesOf(plan);
  const titles = planned.map(({ title }) => title);
  const drift = driftIn(plan);
  return [
    ...recentDeletions(deletions, now).filter((each) => !isRetry(each, tree, titles)),
    ...planned.map(({ title, id, by }) => ({
      at: now,
      tree,
      title,
      ...(drift.has(by) && { isDrift: true }),
      ...(id !== undefined && { id }),
      isDone: false,
    })),
  ];
}

/** The ids of the actions that set drift back. */
function driftIn({ actions }: Pick<Plan, "actions">): ReadonlySet<string> {
  return new Set(actions.filter((action) => !isOfCommit(action)).map(({ id }) => id));
}

/** A deletion that an event tells of. */
export type ReportedEvent = Pick<Deletion, "at" | "title" | "by" | "isEarlier"> &
  Required<Pick<Deletion, "id" | "event">>;

/** The deletions with those by other processes, as events tell of them: an own one has an event too, and is one. */
export function withReported(
  deletions: readonly Deletion[],
  reported: readonly ReportedEvent[],
): readonly Deletion[] {
  const all = [...deletions];
  for (const { at, title, id, event, by, isEarlier } of reported) {
    if (all.some((each) => each.event === event)) continue;
    const own = all.findIndex((each) => each.event === undefined && each.id === id);
    const known = all[own];
    if (known) all[own] = { ...known, event };
    else all.push({ at, title, id, event, by, isDone: true, isEarlier });
  }
  return all;
}

/** The deletions, of which those by these actions are done. @param done the ids of the actions */
export function withDone(
  plan: Pick<Plan, "actions">,
  done: ReadonlySet<string>,
  { tree, deletions }: Pick<DeletionLedger, "tree" | "deletions">,
): Deletion[] {
  const titles = new Set(
    countedLossesOf(plan)
      .filter(({ by }) => done.has(by))
      .map(({ title }) => title),
  );
  return deletions.map((each) =>
    each.tree === tree && titles.has(each.title) ? { ...each, isDone: true } : each,
  );
}

/** Whether a plan tries again what was begun and is not known to be done. */
function isRetry(deletion: Deletion, tree: string, planned: readonly string[]): boolean {
  return !deletion.isDone && deletion.tree === tree && planned.includes(deletion.title);
}
