import { span } from "../../core/values/text.ts";
import { uncheckedText } from "../../core/planning/plan/index.ts";
import { type Change, rollbackText, type SyncState } from "../decide/index.ts";
import { predicateOf } from "../journal/index.ts";
import { countedIn } from "./visible-status.ts";
import type { doubts, EnvironmentStatus, ServiceStatus } from "./status-form.ts";

/** Why the last known state may be outdated: the ends of sentences. */
export const doubtWords: Record<(typeof doubts)[number], string> = {
  failed: "the last cycle has failed",
  unanswered: "the API does not answer",
  unread: "the repository cannot be read",
  stale: "nothing has been compared since",
  database: "the database that the workers share cannot be used",
};

/** The change that a commit will make. */
export const pendingWords: Record<Change["action"], string> = {
  create: "will be created",
  clone: "will be cloned",
  update: "will be changed",
  replace: "will be deleted and created again",
  delete: "will be deleted",
  deploy: "will be deployed",
  none: "",
};

/** The differences of a resource from the applied commit. */
export const differenceWords: Record<Change["action"], string> = {
  ...pendingWords,
  create: "is missing",
  clone: "is missing",
  update: "differs",
  replace: "differs, and only a replacement can revert it",
  delete: "exists, and no document declares it",
};

/** That the database that the workers share is too slow. */
export function slowDatabase(seconds: number): string {
  return `The database that the workers share is too slow: an answer takes ${seconds.toFixed(1)} s, so commits are applied late, or not at all.`;
}

/**
 * The headline of a source: `shop/production is unhealthy, 14 of 16 environments synced with 3f2c1a9`. That is the applied
 * commit, which is not the newest one while the newest has mistakes. Environments that nobody has read yet are counted, too.
 * In doubt, the last known states are shown in the past tense.
 */
export function summary({
  environments: all,
  commit: newest,
  not_applied: isNotApplied,
  in_doubt: doubt,
}: Pick<ServiceStatus, "environments" | "commit" | "not_applied" | "in_doubt">): string {
  const unapplied = isNotApplied ? `, newest commit ${newest?.slice(0, 7)} not applied` : "";
  if (all.length === 0) return `No state yet${unapplied}`;
  const environments = countedIn(all);
  const synced = environments.filter(({ state }) => state === "synced");
  const [first, second] = new Set(synced.map(({ applied }) => applied));
  const commit = second === undefined ? (first ?? newest) : newest;
  const at = commit === undefined ? "" : ` with ${commit.slice(0, 7)}`;
  const noun = environments === all ? "" : "environments ";
  const count = `${synced.length} of ${environments.length} ${noun}`;
  const unread = environments.filter(({ state }) => state === "unread").length;
  const notYet = unread === 0 ? "" : `, ${unread} not read yet`;
  return doubt
    ? `Out of date, ${count}were synced${at}${unapplied}`
    : `${troubled(all)}${count}synced${at}${notYet}${unapplied}`;
}

const quiet: ReadonlySet<SyncState> = new Set(["synced", "unread", "unwatched"]);

/** The environment that comes first because it is the worst, and how many more are not synced: the beginning of a headline. */
export function troubled(
  environments: readonly (Pick<EnvironmentStatus, "name" | "state"> &
    Partial<Pick<EnvironmentStatus, "rolled_back">>)[],
): string {
  const [worst, ...others] = environments.filter(({ state }) => !quiet.has(state));
  if (!worst) return "";
  const { name, state, rolled_back: back } = worst;
  const how = back && state === "rolled_back" ? `is ${rollbackText(back)}` : predicateOf(state);
  const more =
    others.length === 0 ? "" : ` and ${others.length} more ${others.length === 1 ? "is" : "are"} not synced`;
  return `${name} ${how}${more}, `;
}

/** The first reason why an environment is not synced; undefined: it is, or the state says all. */
export function whyNotSynced({
  state,
  reason,
  reasons,
  changes,
}: Pick<EnvironmentStatus, "state" | "reason" | "reasons" | "changes">): string | undefined {
  if (quiet.has(state)) return undefined;
  const [why = reason] = reasons;
  const [change] = changes;
  if (why !== undefined || !change) return why;
  const words = change.cause === "drift" ? differenceWords : pendingWords;
  return `${change.address} ${words[change.action]}${changes.length > 1 ? `, and ${changes.length - 1} more` : ""}`;
}

/** How much of the quota is left, and what the service has spent, as one line. */
export function quotaText({ budget }: Pick<ServiceStatus, "budget">): string {
  const { limit, remaining, reset_at: reset, spent_in_hour: spent, forecast, checking, applying } = budget;
  const { interval_seconds: interval = 0, period_seconds: period = 0 } = budget;
  const share = ({ spent: used, allowed }: { spent: number; allowed: number }) => `${used} of ${allowed}`;
  const left =
    remaining === undefined
      ? "the server has not said how many are left"
      : `${remaining}${limit === undefined ? "" : ` of ${limit}`} left${reset === undefined ? "" : `, the quota resets at ${reset}`}`;
  return [
    `Requests: ${left}`,
    ...(forecast === undefined ? [] : [`About ${forecast} will be left then`]),
    `${spent} sent in the last hour`,
    ...(checking && applying
      ? [
          `In this window, ${share(checking)} for drift checks and ${share(applying)} for changes`,
          `Events are checked every ${span(interval * 1000)}, everything within ${span(period * 1000)}`,
        ]
      : []),
  ].join(". ");
}

/** A line about unread parts of some environments, as in plans; none if all were read. */
export function uncheckedIn(environments: readonly Pick<EnvironmentStatus, "unread">[]): string[] {
  const line = uncheckedText(environments.flatMap(({ unread = [] }) => unread));
  return line === undefined ? [] : [`${line}.`];
}
