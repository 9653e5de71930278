import { uncheckedText } from "../../core/planning/plan/index.ts";
import { rollbackText } from "../decide/index.ts";
import { countedIn } from "./visible-status.ts";
import type { doubts, EnvironmentStatus, ServiceStatus } from "./status-form.ts";

/** Why nobody knows whether the state that was found last still holds: the ends of sentences. */
export const doubtWords: Record<(typeof doubts)[number], string> = {
  failed: "the last cycle has failed",
  unanswered: "the API does not answer",
  unread: "the repository cannot be read",
  stale: "nothing has been compared since",
  database: "the database that the workers share cannot be used",
};

/**
 * How many environments are in step, and with which commit: `14 of 16 in step at 3f2c1a9`. That is the applied commit,
 * which is not the newest one while the newest has mistakes. Those that are rolled back and those that nobody has read yet
 * are counted, too; a project or the organization that is not in step is named, or counted with others. In doubt, what was found last is told as what it was:
 * `not known now, 14 of 16 were in step at 3f2c1a9`.
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

/** A line about what has not been read in some environments, as plans have it; none if there is nothing. */
export function uncheckedIn(environments: readonly Pick<EnvironmentStatus, "unread">[]): string[] {
  const line = uncheckedText(environments.flatMap(({ unread = [] }) => unread));
  return line === undefined ? [] : [`${line}.`];
}
