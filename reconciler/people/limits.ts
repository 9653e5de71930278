import { type AnyAddress, formatAddress } from "../../core/address.ts";
import type { Desired } from "../../core/manifest/index.ts";
import { isChange, type Plan } from "../../core/plan/index.ts";
import type { Problem } from "../../core/problem.ts";
import { shareOf } from "../policy/index.ts";
import type { Limits } from "./access-file.ts";

/** Documents of what the repository may not describe, as mistakes of the commit. */
export function documentsBeyond(limits: Limits, resources: readonly Desired[]): Problem[] {
  return resources
    .filter(({ address }) => isBeyond(limits, address))
    .map((resource) => ({ ...problemOf(resource.address), position: resource.position([]) }));
}

/** What a plan changes and the repository may not, such as what it prunes. */
export function changesBeyond(limits: Limits, { actions }: Pick<Plan, "actions">): Problem[] {
  return actions
    .filter(isChange)
    .filter(({ address }) => isBeyond(limits, address))
    .map(({ address }) => problemOf(address));
}

function isBeyond({ environments, kinds }: Limits, address: AnyAddress): boolean {
  const { names } = shareOf(address);
  return (
    (environments !== undefined && !environments.some((pattern) => pattern.matches(names))) ||
    (kinds !== undefined && !kinds.has(address.kind.name))
  );
}

function problemOf(address: AnyAddress): Problem {
  return {
    code: "setting",
    message: `${formatAddress(address)} is beyond what this repository may change`,
    advice: "take it out, or ask the operator of the reconciler to widen the limits",
    address: formatAddress(address),
  };
}
