import { type Address, addressKey, parentKey } from "../../model/addresses/address.ts";
import { deletes, deploys, factsOf, makes, updates } from "../../planning/plan/index.ts";
import type { Outcome, Report } from "./report.ts";

/** What a run has changed, made or affected and not deployed. Services that were out of date before are missing. */
export function awaitingDeployment({ outcomes }: Pick<Report, "outcomes">): Address[] {
  const deployments = outcomes.filter(deploys);
  const deleted = outcomes.filter((one) => deletes(one) && !makes(one) && one.status === "done");
  const covered = new Set([...deployments, ...deleted].map(({ address }) => addressKey(address)));
  const changed = outcomes.filter(
    (one) => (makes(one) || updates(one)) && one.status === "done" && !one.already,
  );
  // Services of a whole waiting environment are not named as well.
  for (const one of changed) if (isCopiedWhole(one)) covered.add(`in ${addressKey(one.address)}`);
  const waiting = changed.flatMap(toDeploy).filter((address) => {
    const around = parentKey(address);
    return !covered.has(addressKey(address)) && !covered.has(around) && !covered.has(`in ${around}`);
  });
  return [...new Map(waiting.map((address) => [addressKey(address), address])).values()];
}

/** The deployment that a change needs: of the service, of a cloned environment, or of services inside. */
function toDeploy(outcome: Outcome): readonly Address[] {
  const { address, reaches = [] } = outcome;
  return address.kind.deployment || isCopiedWhole(outcome) ? [address] : reaches;
}

/** Whether services have come with a clone of their environment. */
function isCopiedWhole(outcome: Outcome): boolean {
  return factsOf(outcome).effects.includes("copies") && outcome.address.kind.jointDeployment !== undefined;
}
