import { type HealthState, healthStates } from "../../core/deployments/index.ts";
import { formatAddress, parseAnyAddress } from "../../core/model/addresses/address.ts";
import type { Outcome } from "../../core/execution/execute/index.ts";
import { deploys } from "../../core/planning/plan/index.ts";

/** The health of a managed service after its last deployment. */
export interface ServiceHealth {
  /** `job:shop/staging/a` */
  address: string;
  health: HealthState;
  /** As the API has it: `DEPLOYMENT_ERROR`. */
  state?: string | undefined;
  /** The start of its last deployment, as ISO 8601. */
  started?: string | undefined;
  /** Its running version differs from its configuration, so that only a sync deploys it, not a retry. */
  isOutOfDate?: true;
  /** The last log lines of a failed deployment, the oldest first. */
  lines?: readonly string[] | undefined;
  /** The last of these lines, if the operator shares them with Git hosts and chats. */
  said?: string | undefined;
}

/** The health of services after a cycle that has started deployments, the worst first. */
export function healthAfter(
  services: readonly ServiceHealth[],
  outcomes: readonly Outcome[],
): ServiceHealth[] {
  const started = outcomes
    .filter((outcome) => deploys(outcome) && outcome.status === "done")
    .map(({ address, goesOn }): ServiceHealth => ({
      address: formatAddress(address),
      health: goesOn ? "deploying" : "healthy",
    }));
  const known = new Map([...services, ...started].map((each) => [each.address, each]));
  return [...known.values()].toSorted(
    (left, right) =>
      healthStates.indexOf(left.health) - healthStates.indexOf(right.health) ||
      left.address.localeCompare(right.address),
  );
}

export const unreadHealth =
  "the health of its services has not been read, because the quota's share for drift checks is spent";

export function isIll({ health }: Pick<ServiceHealth, "health">): boolean {
  return health === "failed" || health === "slow" || health === "halted";
}

/** `api failed: DEPLOYMENT_ERROR`. Git hosts and chats get it: it quotes the service only if the operator allows it. */
export function healthText({ address, health, state, started, said }: ServiceHealth): string {
  const name = parseAnyAddress(address).names.at(-1);
  switch (health) {
    case "failed": {
      const why = said ?? state;
      return why === undefined ? `${name} failed` : `${name} failed: ${why}`;
    }
    case "slow":
      return `${name} has been in deployment since ${started}${state === undefined ? "" : ` (${state})`}`;
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

function haltText(name: string, state = ""): string {
  const texts: Record<string, string> = {
    DELETED: `${name} is uninstalled`,
    DELETE_ERROR: `uninstalling ${name} has failed`,
    STOP_ERROR: `stopping ${name} has failed`,
  };
  return texts[state] ?? `the deployment of ${name} was cancelled`;
}
