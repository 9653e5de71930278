import { defaultCaps, countedLossesOf, type Plan, type Policy } from "../../core/planning/plan/index.ts";
import type { Problem } from "../../core/problems/problem.ts";
import Type from "typebox";
import { form, optional } from "../../core/outputs/forms/forms.ts";
import type { StoredForm } from "../../core/files/stored-form.ts";
import { gitId } from "../git-id.ts";
import { isOfCommit } from "./causes.ts";
import { type CommitPolicy, type OperatorRules, timeText } from "../policy/index.ts";

export const deletionForm = form({
  /** Milliseconds since 1970. */
  at: Type.Number(),
  /** The manifests that requested it, by the id of their folder; absent: another process has deleted it. */
  tree: optional(gitId),
  /** The id of the deleted resource, or of the one that lost something; absent: unknown. */
  id: optional(Type.String()),
  /** Its key in the events of the organization; absent: no event yet. */
  event: optional(Type.String()),
  /** As `titleOf` makes it. */
  title: Type.String(),
  isDone: Type.Boolean(),
  /** The source that requested it, if that is another known one. */
  source: optional(Type.String()),
  /** Whether it reverted drift: it then does not count for its commit. */
  isDrift: optional(Type.Boolean()),
  /** The actor, if this source has no record of it: `dev@example.com with infrasync`. */
  by: optional(Type.String()),
  /** It is older than the records of this source, and of this source or an unknown program: it counts here. */
  isEarlier: optional(Type.Literal(true)),
});

/** A finished or started deletion or replacement. */
export type Deletion = StoredForm<typeof deletionForm>;

export interface DeletionLimits {
  /** By one state of the manifests, in any number of cycles. */
  commit: number;
  /** In any 24 hours, by all commits of this source in all environments; of a single source also by others. */
  day: number;
  /** In any 24 hours, by all sources of the organization; absent: there is only this one. */
  organization?: number | undefined;
}

const day = 86_400_000;

export interface DeletionLedger {
  /** The manifests of the plans, by the id of their folder. */
  tree: string;
  limits: DeletionLimits;
  deletions: readonly Deletion[];
  /** The time since which all deletions are known, in milliseconds since 1970; undefined: not read yet. */
  countedSince: number | undefined;
}

/** The limits of the operator, which commits can only lower. @param policies of the commit and of those before it */
export function deletionLimits(
  policies: readonly CommitPolicy[],
  { caps }: Pick<Policy, "caps">,
  operator: OperatorRules,
): DeletionLimits {
  const declared = (limit: "commit" | "day") =>
    policies.flatMap(({ maxDeletes }) => maxDeletes?.[limit] ?? []);
  const { deletesPerDay = defaultCaps.count, organizationDeletesPerDay: organization } = operator;
  return {
    commit: Math.min(caps.count, ...declared("commit")),
    day: Math.min(deletesPerDay, ...declared("day")),
    organization,
  };
}

/** The deletions of the last 24 hours, or of the future (the clock may have been set back). @param now milliseconds */
export function recentDeletions<Timed extends Pick<Deletion, "at">>(
  deletions: readonly Timed[],
  now: number,
): Timed[] {
  return deletions.filter(({ at }) => at > now - day);
}

/** Why a plan may not delete now: it would exceed a limit together with earlier deletions. */
export function limitProblems(
  plan: Pick<Plan, "actions">,
  { tree, limits, deletions, countedSince }: DeletionLedger,
  now: number,
): Problem[] {
  const planned = countedLossesOf(plan).map(({ title }) => title);
  if (planned.length === 0) return [];
  if (countedSince === undefined || countedSince > now - day) return [uncounted(countedSince)];
  const before = recentDeletions(deletions, now).filter(
    // Deletions that a wrong clock dates years ahead must not count for years.
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
      advice: "make fewer changes at once",
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

/** Whether this source has requested a deletion. */
function isOwn({ tree }: Deletion): boolean {
  return tree !== undefined;
}

/** Whether a deletion counts for this source: lost records lift no limit, and known other clients spend none. */
function countsHere(deletion: Deletion): boolean {
  return isOwn(deletion) || (deletion.isEarlier === true && deletion.source === undefined);
}

/** `1 by this source, 9 by the source web`. */
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
  // As many deletions have to expire.
  const until = last && timeText(last.at + day);
  return {
    code: "too_many",
    message: `${planned} would be deleted or replaced, after ${before.length} in the last 24 hours${where}; ${limit} a day are allowed`,
    advice:
      until === undefined
        ? "make fewer changes at once, or raise the limit by day"
        : `wait until ${until}, or raise the limit by day`,
    blocks: "apply",
  };
}

/** The problem of a deletion while the deletions of the last day are unknown. */
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

/** The deletions with those of a plan before its execution, so that a kill loses none. */
export function withStarted(
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

function driftIn({ actions }: Pick<Plan, "actions">): ReadonlySet<string> {
  return new Set(actions.filter((action) => !isOfCommit(action)).map(({ id }) => id));
}

export type ReportedEvent = Pick<Deletion, "at" | "title" | "by" | "isEarlier"> &
  Required<Pick<Deletion, "id" | "event">>;

/** The deletions with those of other processes from the events. Own deletions have an event too, and count once. */
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

/** The deletions, with those of these actions marked as done. @param done the ids of the actions */
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

/** Whether a plan retries a started deletion with an unknown outcome. */
function isRetry(deletion: Deletion, tree: string, planned: readonly string[]): boolean {
  return !deletion.isDone && deletion.tree === tree && planned.includes(deletion.title);
}
