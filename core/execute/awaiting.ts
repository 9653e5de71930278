import { type Address, addressKey, parentAddress } from "../address.ts";
import type { Action } from "../plan/index.ts";
import type { Outcome, Report } from "./report.ts";

const changing = new Set<Action["type"]>(["create", "clone", "update", "replace"]);

/**
 * What a run has made or changed and not deployed: services, environments that were cloned, and services that have what
 * the run has changed around them, such as a variable of their environment, from their next deployment on. It follows
 * from what was written, without a request; what was out of date before is not among it.
 */
export function awaitingDeployment({ outcomes }: Pick<Report, "outcomes">): Address[] {
  const deployments = outcomes.filter(({ type }) => type === "deploy");
  const deleted = outcomes.filter(({ type, status }) => type === "delete" && status === "done");
  const covered = new Set([...deployments, ...deleted].map(({ address }) => addressKey(address)));
  const changed = outcomes.filter(
    ({ type, status, already }) => changing.has(type) && status === "done" && !already,
  );
  // What is in an environment that waits as a whole is not named besides.
  for (const { type, address } of changed)
    if (type === "clone" && address.kind.jointDeployment) covered.add(`in ${addressKey(address)}`);
  const waiting = changed.flatMap(toDeploy).filter((address) => {
    const parent = parentAddress(address);
    const parentKey = parent ? addressKey(parent) : "";
    return !covered.has(addressKey(address)) && !covered.has(parentKey) && !covered.has(`in ${parentKey}`);
  });
  return [...new Map(waiting.map((address) => [addressKey(address), address])).values()];
}

/** What a change has to be deployed to: the service, an environment whose services have come with a clone, or services inside. */
function toDeploy({ address, type, reaches = [] }: Outcome): readonly Address[] {
  const { deployment, jointDeployment } = address.kind;
  return deployment || (type === "clone" && jointDeployment) ? [address] : reaches;
}
