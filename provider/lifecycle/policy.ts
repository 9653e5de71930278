import { countedLossesOf, defaultPolicy, type Plan, type Policy } from "../../core/plan/index.ts";
import type { ProviderSettings } from "./settings.ts";

/** What the settings of a stack allow and forbid. @param lostBefore how much other changes of the run lose */
export function policyOf(
  { allowInfrastructure, allowLosses, protect, policies, maxDeletes }: ProviderSettings,
  lostBefore: number,
): Policy {
  return {
    ...defaultPolicy,
    protect,
    policies,
    allowReplace: allowLosses,
    // Without a name there is no consent, whatever else is allowed.
    ...(allowInfrastructure.length > 0 && { infrastructure: allowInfrastructure }),
    hidesLosses: true,
    caps: { count: maxDeletes ?? Infinity, percent: 100, before: lostBefore },
  };
}

/** What the changes of a run lose, as the caps count it, each thing once: the engine asks about a change more than once. */
export class Tally {
  readonly #lost = new Map<string, Set<string>>();

  /** Notes what a plan for one resource loses. */
  add(plan: Pick<Plan, "actions">): void {
    for (const { id = "", title } of countedLossesOf(plan)) {
      const lost = this.#lost.get(id) ?? new Set();
      this.#lost.set(id, lost.add(title));
    }
  }

  /** How much the changes of other resources lose. */
  beside(id: string | undefined): number {
    return [...this.#lost].reduce((sum, [other, lost]) => (other === id ? sum : sum + lost.size), 0);
  }
}
