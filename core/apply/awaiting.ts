import { type Address, addressKey, parentAddress } from "../address.ts";
import type { Action } from "../plan/index.ts";
import type { Report } from "./report.ts";

const changing = new Set<Action["type"]>(["create", "clone", "update", "replace"]);

/**
 * What a run has made or changed and not deployed: services, and environments that were cloned. It follows from what was
 * written, without a request; what was out of date before is not among it.
 */
export function awaitingDeployment({ outcomes }: Pick<Report, "outcomes">): Address[] {
  const deployments = outcomes.filter(({ type }) => type === "deploy");
  const covered = new Set(deployments.map(({ address }) => addressKey(address)));
  const changed = outcomes.filter(
    ({ type, status, already, address }) =>
      changing.has(type) && status === "done" && !already && isDeployed(address, type),
  );
  // What is in an environment that waits as a whole is not named besides.
  for (const { type, address } of changed)
    if (!address.kind.deployment && type === "clone") covered.add(`in ${addressKey(address)}`);
  const waiting = changed.filter(({ address }) => {
    const parent = parentAddress(address);
    const parentKey = parent ? addressKey(parent) : "";
    return !covered.has(addressKey(address)) && !covered.has(parentKey) && !covered.has(`in ${parentKey}`);
  });
  return [...new Map(waiting.map(({ address }) => [addressKey(address), address])).values()];
}

/** Whether it is deployed by itself: a service, or an environment whose services have come with a clone. */
function isDeployed({ kind }: Address, type: Action["type"]): boolean {
  return kind.deployment !== undefined || (type === "clone" && kind.jointDeployment !== undefined);
}
