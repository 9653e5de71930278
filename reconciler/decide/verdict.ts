import type { Action } from "../../core/planning/plan/index.ts";
import type { Problem } from "../../core/problems/problem.ts";
import type { DriftLoop } from "./drift-loops.ts";
import type { ShareView } from "./view.ts";

/** The verdict on a share, or on one part of it: what follows from the commit, or drift. */
export interface Verdict {
  share: ShareView;
  does:
    | "nothing"
    /** Not everything has been read yet. */
    | "look"
    /** The policy says off. */
    | "ignore"
    | "apply"
    /** Drift is reported. */
    | "report"
    /** The commit waits. */
    | "wait"
    /** The branch was rewritten, and the commit deletes. */
    | "hold"
    /** Something has to be mended or allowed. */
    | "block";
  /** Whether the differences follow from the commit, and are not drift. */
  isCommit: boolean;
  /** The differences. */
  actions: readonly Action[];
  /** The digest of all differences of the share, which an approval names; absent: nothing differs. */
  plan?: string | undefined;
  /** Whether a person has asked for it. */
  isAsked: boolean;
  /** The addresses of drift that is not undone although the rest is, and of changes of the commit that come later. */
  left: ReadonlySet<string>;
  problems: readonly Problem[];
  fights: readonly DriftLoop[];
  /** Why it waits, or a part of it. */
  reason?: string;
  /** The time until which it waits, in milliseconds since 1970, where it is known. */
  until?: number | undefined;
}

/** Each problem once. */
export function distinct(problems: readonly Problem[]): Problem[] {
  return [...new Map(problems.map((each) => [`${each.address} ${each.message}`, each])).values()];
}
