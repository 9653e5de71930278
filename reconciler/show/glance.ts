import { type RolledBack, rollbackText } from "../decide/index.ts";
import type { BoardView, EnvironmentView } from "./board-view.ts";

/** Why nobody knows whether the state that was found last still holds. */
export interface BoardDoubt {
  because: (typeof doubts)[number];
  /** Milliseconds since 1970. */
  since: number;
}

/** Whether what is known of an environment is older than it should be. */
export function isStale({ knowledge }: Pick<EnvironmentView, "knowledge">, now: number): boolean {
  return knowledge !== undefined && now > knowledge.staleAt;
}

/** The reasons for a doubt. */
export const doubts = ["failed", "unanswered", "unread", "stale", "database"] as const;

/** The reason of a doubt: the end of a sentence. */
export const doubtWords: Record<BoardDoubt["because"], string> = {
  failed: "the last cycle has failed",
  unanswered: "the API does not answer",
  unread: "the repository cannot be read",
  stale: "nothing has been compared since",
  database: "the database that the workers share cannot be used",
};

/** The doubt about the state that a service has found last; undefined if the next look is not due yet, and none has failed. */
export function doubtOf({
  now,
  staleAt,
  failure,
  unread,
  activity,
}: Pick<BoardView, "now" | "staleAt" | "failure" | "unread" | "activity">): BoardDoubt | undefined {
  if (failure) return { because: "failed", since: failure.since };
  if (unread) return { because: "unread", since: unread.since };
  if (activity.type === "waiting" && activity.reason === "retry")
    return { because: "unanswered", since: activity.since };
  return now > staleAt ? { because: "stale", since: staleAt } : undefined;
}

/** What is told of a service at a glance. */
export interface Glanced {
  environments: readonly {
    state: string;
    applied?: string | undefined;
    rolledBack?: RolledBack | undefined;
  }[];
  /** Id of the newest commit; it counts where the environments in step do not agree. */
  commit?: string | undefined;
  /** Whether the newest commit has mistakes. */
  isNotApplied: boolean;
}

/**
 * How many environments are in step, and with which commit: `14 of 16 in step at 3f2c1a9`. That is the applied commit,
 * which is not the newest one while the newest has mistakes. Those that are rolled back and those that nobody has read yet
 * are counted, too.
 *
 * @param doubt what was found last is told as what it was: `not known now, 14 of 16 were in step at 3f2c1a9`
 */
export function glance(
  { environments, commit: newest, isNotApplied }: Glanced,
  doubt?: { because: BoardDoubt["because"] } | undefined,
): string {
  const unapplied = isNotApplied ? `, newest commit ${newest?.slice(0, 7)} not applied` : "";
  if (environments.length === 0) return `Nothing is known yet${unapplied}`;
  const inStep = environments.filter(({ state }) => state === "in_step");
  const [first, second] = new Set(inStep.map(({ applied }) => applied));
  const commit = second === undefined ? (first ?? newest) : newest;
  const at = commit === undefined ? "" : ` at ${commit.slice(0, 7)}`;
  const count = `${inStep.length} of ${environments.length}`;
  const unread = environments.filter(({ state }) => state === "unread").length;
  const notYet = unread === 0 ? "" : `, ${unread} not read yet`;
  const backs = environments.flatMap(({ state, rolledBack }) =>
    rolledBack && state === "rolled_back" ? [rollbackText(rolledBack)] : [],
  );
  const back = [...Map.groupBy(backs, (text) => text)].map(([text, { length }]) => `, ${length} ${text}`);
  return (
    (doubt ? `Not known now, ${count} were in step${at}` : `${count} in step${at}${notYet}`) +
    back.join("") +
    unapplied
  );
}
