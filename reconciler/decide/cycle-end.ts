import type { Report } from "../../core/execute/index.ts";
import type { Plan } from "../../core/plan/index.ts";
import type { Finding } from "./finding.ts";
import type { Standing } from "./standing.ts";

/** A plan that was carried out, and what became of it. */
export interface Enacted {
  plan: Plan;
  report: Report;
}

/** What a cycle has found and done. */
export type CycleEnd = Finding & {
  /** The newest commit. */
  commit: string;
  /** The requests of the cycle. */
  spent: number;
  /** How each environment stands; absent: nothing is known that was not known before. */
  environments?: readonly Standing[];
  /** The plans that were carried out. */
  enacted?: readonly Enacted[];
};
