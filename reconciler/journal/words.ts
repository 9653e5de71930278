import type { Change, SyncState } from "../decide/index.ts";

export type BadgeTone = "good" | "note" | "bad" | "plain";

/** A state of an environment: in words, how good it is, and the status that the newest commit gets because of it. */
export const stateWords: Record<
  SyncState,
  { text: string; tone: BadgeTone; commit: "success" | "pending" | "failure" }
> = {
  failed: { text: "failed", tone: "bad", commit: "failure" },
  blocked: { text: "blocked", tone: "bad", commit: "failure" },
  held: { text: "held", tone: "bad", commit: "failure" },
  unhealthy: { text: "unhealthy", tone: "bad", commit: "failure" },
  // What differs now was synced once: it is not the commit's fault.
  drift_loop: { text: "drift loop", tone: "bad", commit: "success" },
  drift: { text: "drift", tone: "note", commit: "success" },
  waiting: { text: "waiting", tone: "note", commit: "pending" },
  // The commit is not in force there.
  rolled_back: { text: "rolled back", tone: "note", commit: "failure" },
  deploying: { text: "deploying", tone: "note", commit: "pending" },
  unread: { text: "not read yet", tone: "note", commit: "pending" },
  unwatched: { text: "not watched", tone: "plain", commit: "success" },
  synced: { text: "synced", tone: "good", commit: "success" },
};

const predicates: Partial<Record<SyncState, string>> = {
  failed: "has failed",
  drift: "has drift",
  drift_loop: "is in a drift loop",
};

/** `is blocked`, `has drift`; `is still blocked`, `still has drift`. */
export function predicateOf(state: SyncState, isStill = false): string {
  const predicate = predicates[state] ?? `is ${stateWords[state].text}`;
  if (!isStill) return predicate;
  return predicate.startsWith("is ") ? predicate.replace("is ", "is still ") : `still ${predicate}`;
}

/** The differences of a resource before drift was undone. */
export const driftWords: Record<Change["action"], string> = {
  create: "was missing",
  clone: "was missing",
  update: "was changed",
  replace: "was changed, and is replaced",
  delete: "existed, and no document declares it",
  deploy: "was not deployed",
  none: "",
};
