import type { AnyAddress } from "../../model/addresses/address.ts";
import { meantBy, writtenPattern } from "../../model/addresses/meant.ts";
import type { DesiredResource } from "../../manifests/manifest/index.ts";
import type { Pattern } from "../../model/addresses/pattern.ts";
import type { Problem } from "../../problems/problem.ts";
import type { Policy } from "./policy.ts";

/** The scope of a run within the documents. */
export type RunScope = Pick<Policy, "targets" | "scope">;

/** Whether the run includes an address; without targets, it includes its whole scope. */
export function isTarget({ targets, scope }: RunScope, address: AnyAddress): boolean {
  return (
    (targets.length === 0 || targets.some((target) => target.matches(address))) && scope?.(address) !== false
  );
}

export function chosenDocuments(
  resources: readonly DesiredResource[],
  choice: RunScope,
): Set<DesiredResource> {
  return new Set(resources.filter(({ address }) => isTarget(choice, address)));
}

/** These documents and all that they need, transitively. */
export function withNeeded(
  chosen: ReadonlySet<DesiredResource>,
  needs: (desired: DesiredResource) => readonly DesiredResource[],
): Set<DesiredResource> {
  const needed = new Set(chosen);
  for (const desired of needed) for (const other of needs(desired)) needed.add(other);
  return needed;
}

/** Targets that match none of these addresses: without a problem, they would give an empty plan. */
export function idleTargets(targets: readonly Pattern[], addresses: readonly AnyAddress[]): Problem[] {
  return targets
    .filter((target) => !addresses.some((address) => target.matches(address)))
    .map(({ text }) => {
      const meant = meantBy(text, addresses, writtenPattern);
      return {
        code: "target",
        message: `the target "${text}" matches no document`,
        advice: `${meant === undefined ? "" : `did you mean ${meant}? `}a target is an address or a pattern, such as job:shop/staging/* or shop/**`,
      };
    });
}
