import type { Differences } from "./differences.ts";
import type { Problem } from "../../core/problems/problem.ts";
import type { DriftLoop } from "./drift-loops.ts";

/** The verdict on an environment, or on its differences of one cause: the commit, or drift. */
export interface Verdict extends Pick<
  Differences,
  "environment" | "isCommit" | "actions" | "isRequested" | "plan"
> {
  /**
   * `look`: reads are missing. `ignore`: the policy says off. `report`: drift is reported. `wait`: the commit waits.
   * `hold`: the branch was rewritten, and the commit deletes. `block`: a person has to mend or allow something.
   */
  does: "nothing" | "refresh" | "ignore" | "apply" | "report" | "wait" | "hold" | "block";
  /** The addresses of deferred drift, and of later changes of the commit. */
  left: ReadonlySet<string>;
  problems: readonly Problem[];
  driftLoops: readonly DriftLoop[];
  /** Why it waits, or a part of it. */
  reason?: string;
  until?: number | undefined;
}

/** Each problem once. */
export function distinct(problems: readonly Problem[]): Problem[] {
  return [...new Map(problems.map((each) => [`${each.address} ${each.message}`, each])).values()];
}
