import { uncheckedText } from "../../core/planning/plan/index.ts";
import { rollbackText } from "../decide/index.ts";
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

/**
 * The number of synced environments, and their commit: `14 of 16 synced at 3f2c1a9`. That is the applied commit, which
 * is not the newest one while the newest has mistakes. Rolled back and unread environments count too; a project or the
 * organization that is not synced is named, or counted with others. In doubt, the last known state is in the past
 * tense: `not known now, 14 of 16 were synced at 3f2c1a9`.
 */
export function glance({
  environments: shares,
  commit: newest,
  not_applied: isNotApplied,
  in_doubt: doubt,
}: Pick<ServiceStatus, "environments" | "commit" | "not_applied" | "in_doubt">): string {
  const unapplied = isNotApplied ? `, newest commit ${newest?.slice(0, 7)} not applied` : "";
  if (shares.length === 0) return `Nothing is known yet${unapplied}`;
  const environments = countedIn(shares);
  const synced = environments.filter(({ state }) => state === "synced");
  const [first, second] = new Set(synced.map(({ applied }) => applied));
  const commit = second === undefined ? (first ?? newest) : newest;
  const at = commit === undefined ? "" : ` at ${commit.slice(0, 7)}`;
  const count = `${synced.length} of ${environments.length}`;
  const unread = environments.filter(({ state }) => state === "unread").length;
  const notYet = unread === 0 ? "" : `, ${unread} not read yet`;
  const backs = environments.flatMap(({ state, rolled_back: rolledBack }) =>
    rolledBack && state === "rolled_back" ? [rollbackText(rolledBack)] : [],
  );
  const others = shares.filter(
    (share) => !environments.includes(share) && share.state !== "synced" && share.state !== "unread",
  );
  const names = others.length > 2 ? `${others.length} others` : others.map(({ name }) => name).join(" and ");
  const beside = others.length === 0 ? "" : `, ${names} not synced`;
  const back = [...Map.groupBy(backs, (text) => text)].map(([text, { length }]) => `, ${length} ${text}`);
  const counted = doubt ? `Not known now, ${count} were synced${at}` : `${count} synced${at}${notYet}`;
  return counted + back.join("") + beside + unapplied;
}

/** A line about unread parts of some environments, as in plans; none if all were read. */
export function uncheckedIn(environments: readonly Pick<EnvironmentStatus, "unread">[]): string[] {
  const line = uncheckedText(environments.flatMap(({ unread = [] }) => unread));
  return line === undefined ? [] : [`${line}.`];
}
