import { describeAddress, formatAddress } from "../../model/addresses/address.ts";
import type { DeploymentOrder } from "../../deployments/index.ts";
import { wordsFor } from "../../model/loss.ts";
import { addressBy, type Inventory } from "../plan/inventory.ts";
import type { Concern, Whole } from "../plan/planning.ts";
import type { Problem } from "../../problems/problem.ts";
import { protectionOf } from "./protected-by.ts";

/** Stopping protected services, or replacing their version, without a plan of documents. */
export const protectedOperation: Concern = {
  name: "protected operation",
  programs: "a program stops no service, and deploys what it has changed itself",
  guard: protectedOperationProblems,
};

/** Problems of stopping or replacing protected services; only the service's own address is a consent. */
function protectedOperationProblems({ planning: { inventory, policy }, operation }: Whole): Problem[] {
  if (!operation) return [];
  const { orders, chosenBy } = operation;
  return orders
    .flatMap((order) => effectsOf(inventory, order))
    .flatMap(({ id, address, what, purpose }): Problem[] => {
      const identity = inventory.byId.get(id);
      const found = identity && protectionOf(inventory, policy, identity);
      const isNamed = chosenBy.some((pattern) => !pattern.text.includes("*") && pattern.matches(address));
      if (!found || isNamed) return [];
      return [
        {
          code: "protected",
          message: `${describeAddress(address)} ${what}: it is protected by ${found.by}`,
          advice: `${purpose} anyway, name it: ${formatAddress(address)}`,
          remedies: found.remedies,
          address: formatAddress(address),
        },
      ];
    });
}

/** The effect of an order on each service: `cannot be stopped`, `to stop it`. */
function effectsOf(inventory: Inventory, { action, environment, isWhole, services }: DeploymentOrder) {
  if (action !== "stop")
    return services.flatMap(({ id, address, losses = [] }) =>
      losses.map((loss) => ({ id, address, what: `cannot lose ${wordsFor(loss)}`, purpose: "to deploy it" })),
    );
  const inside = inventory.byId.get(environment.id)?.contents ?? [];
  const stopped = isWhole
    ? [environment, ...inside.map((each) => ({ id: each.id, address: addressBy(each, each.names[0] ?? []) }))]
    : services;
  return stopped.map((service) => ({ ...service, what: "cannot be stopped", purpose: "to stop it" }));
}
