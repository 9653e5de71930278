import { formatAddress } from "../../core/model/addresses/address.ts";
import { formatPath } from "../../core/model/fields/compare.ts";
import { type Action, compares } from "../../core/planning/plan/index.ts";
import type { ComparedPlans } from "../../core/execution/session/index.ts";

/** A plan beside that of the base of a change. */
export interface PlanComparison extends ComparedPlans {
  /** The base, as it was named: `main`. */
  name: string;
}

export function partsOf({
  name,
  own,
  earlier,
  settled,
}: PlanComparison): { title: string; actions: readonly Action[] }[] {
  return [
    { title: `Changes of these manifests, compared with ${name}`, actions: own },
    {
      title: "Differences that exist without the change too; an apply makes these changes as well",
      actions: earlier,
    },
    { title: `Changes that an apply of ${name} would make, and that are no longer needed`, actions: settled },
  ].filter(({ actions }) => actions.length > 0);
}

export function comparedJson({ name, own, earlier, settled }: PlanComparison) {
  const part = (actions: readonly Action[]) =>
    actions.map((action) => ({
      action: action.type,
      address: formatAddress(action.address),
      ...(compares(action) && { fields: action.changes.map(({ path }) => formatPath(path)) }),
    }));
  return { base: { name, own: part(own), earlier: part(earlier), settled: part(settled) } };
}
