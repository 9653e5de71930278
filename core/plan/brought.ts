import { describeAddress, formatAddress } from "../address.ts";
import type { Problem } from "../problem.ts";
import type { Action } from "./action.ts";
import { isLiveDeletion } from "./lost-resources.ts";
import type { Inventory } from "./inventory.ts";

/** The problems of deletions of what the server makes with its parent, while the parent stays: it keeps them. */
export function broughtProblems({ byId }: Inventory, actions: readonly Action[]): Problem[] {
  return actions.filter(isLiveDeletion).flatMap(({ resourceId, address, alongWith }): Problem[] => {
    const { kind, name = "" } = byId.get(resourceId) ?? {};
    if (alongWith !== undefined || kind?.comesWithParent?.(name) === undefined) return [];
    const parent = kind.parent?.name ?? "organization";
    return [
      {
        code: "impossible",
        message: `${describeAddress(address)} cannot be deleted: it comes with its ${parent}`,
        advice: `keep it, or delete the ${parent}`,
        address: formatAddress(address),
      },
    ];
  });
}
