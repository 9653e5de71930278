import { type HealthState, healthStates } from "../../core/deployments/index.ts";
import { formatAddress, parseAnyAddress } from "../../core/model/addresses/address.ts";
import type { Outcome } from "../../core/execution/execute/index.ts";
import { deploys } from "../../core/planning/plan/index.ts";

/** The health of a described service after its last deployment. */
export interface ServiceHealth {
  /** `job:shop/staging/a` */
  address: string;
  health: HealthState;
  /** As the API has it: `DEPLOYMENT_ERROR`. */
  state?: string;
  /** When its last deployment began, as ISO 8601. */
  begun?: string;
  /** It runs something else than it is configured for, so that no retry but a sync deploys it. */
  isOutOfDate?: true;
  /** The last lines that it has written in a deployment that has failed, oldest first. */
  lines?: readonly string[];
  /** The last of them, where the operator lets forges and chats have it. */
  said?: string;
}

/** The health of services after a cycle that has begun deployments, the worst first. */
export function healthAfter(
  services: readonly ServiceHealth[],
  outcomes: readonly Outcome[],
): ServiceHealth[] {
  const begun = outcomes
    .filter((outcome) => deploys(outcome) && outcome.status === "done")
    .map(({ address, goesOn }): ServiceHealth => ({
      address: formatAddress(address),
      health: goesOn ? "deploying" : "healthy",
    }));
  const known = new Map([...services, ...begun].map((each) => [each.address, each]));
  return [...known.values()].toSorted(
    (left, right) =>
      healthStates.indexOf(left.health) - healthStates.indexOf(right.health) ||
      left.address.localeCompare(right.address),
  );
}

/** The reason for a decision without the health of services. */
export const unreadHealth =
  "the health of its services has not been read, because the quota's share for drift checks is spent";

/** Whether something is wrong with a service. */
export function isIll({ health }: Pick<ServiceHealth, "health">): boolean {
  return health === "failed" || health === "slow" || health === "halted";
}

/** `api failed: DEPLOYMENT_ERROR`. Forges and chats get it: it has words of the service only where the operator says so. */
export function healthText({ address, health, state, begun, said }: ServiceHealth): string {
  const name = parseAnyAddress(address).names.at(-1);
  switch (health) {
    case "failed": {
      const why = said ?? state;
      return why === undefined ? `${name} failed` : `${name} failed: ${why}`;
    }
    case "slow":
      return `${name} has been in deployment since ${begun}${state === undefined ? "" : ` (${state})`}`;
    case "halted":
      return haltText(name ?? "", state);
    case "deploying":
      return `${name} is being deployed`;
    case "healthy":
      return `${name} is healthy`;
    default:
      return health satisfies never;
  }
}

function haltText(name: string, state: string | undefined): string {
  switch (state) {
    case "DELETED":
      return `${name} is uninstalled`;
    case "DELETE_ERROR":
      return `uninstalling ${name} has failed`;
    case "STOP_ERROR":
      return `stopping ${name} has failed`;
    default:
      return `the deployment of ${name} was cancelled`;
  }
}
