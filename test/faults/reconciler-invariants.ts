import { formatAddress } from "../../core/model/addresses/address.ts";
import { isChange } from "../../core/planning/plan/index.ts";
import type { CycleResult } from "../../reconciler/journal/index.ts";
import { isPausedBy, type Pause, environmentOf } from "../../reconciler/policy/index.ts";
import type { Harness } from "../fixtures/harness.ts";
import { openIn } from "./reconciler-aftermath.ts";
import type { Author } from "./reconciler-author.ts";

/** The rules while a cycle has run. */
export interface RulesOfCycle {
  onDrift: "apply" | "report";
  /** The pauses that were confirmed before the cycle began. */
  pauses: readonly Pause[];
  /** When it began and ended, in milliseconds since 1970. */
  began: number;
  ended: number;
}

/** @throws when a cycle has done something that its cause does not permit, or something where a pause holds */
export function checkCycle(
  { enacted = [] }: CycleResult,
  { onDrift, pauses, began, ended }: RulesOfCycle,
): void {
  for (const { plan, report } of enacted) {
    const started = new Set(report.outcomes.filter(({ status }) => status !== "skipped").map(({ id }) => id));
    for (const { id, address, cause } of plan.actions.filter((action) => isChange(action))) {
      if (!started.has(id)) continue;
      if (cause === undefined) throw new Error(`${id} has no cause`);
      if (cause === "drift" && onDrift !== "apply")
        throw new Error(`${id} was done, though it is drift, which is only reported`);
      const { names } = environmentOf(address);
      const held = pauses.find((pause) => isPausedBy(pause, names, began) && isPausedBy(pause, names, ended));
      if (held) throw new Error(`${formatAddress(address)} was changed, though ${held.pattern} is paused`);
    }
  }
}

/** @throws when the state of an environment is not what a plan finds that reads everything anew */
export async function checkStates(
  server: Harness,
  author: Author,
  { environments = [] }: CycleResult,
): Promise<void> {
  const open = await openIn(server, author);
  for (const { environment, state } of environments) {
    const inside = environment.includes("/") ? `:${environment}/` : undefined;
    const its = open.filter(
      (id) => id.endsWith(`:${environment}`) || (inside !== undefined && id.includes(inside)),
    );
    if ((state === "synced" || state === "unhealthy") !== (its.length === 0))
      throw new Error(`${environment} is ${state}, and a fresh plan finds ${its.join(", ") || "nothing"}`);
  }
}
