import { type Address, addressKey } from "../model/addresses/address.ts";
import {
  changesToDeploy,
  type LiveReader,
  type DeployedStatus,
  statusOf,
  versionOf,
} from "../state/live/index.ts";
import { inheritedParts, type PartEntry } from "../model/parts/index.ts";
import type { DeploymentChoice } from "./choose.ts";

/** The state of an environment, and of the services chosen in it. */
export interface EnvironmentDeploymentStatus {
  environment: { address: Address; id: string; state: string; deployedAt: string | undefined };
  services: ServiceDeploymentStatus[];
}

/** The state of a service. */
export interface ServiceDeploymentStatus {
  address: Address;
  id: string;
  /** Undefined where the server tells none. */
  status: DeployedStatus | undefined;
  /** The version in its fields, such as an image tag; undefined if no field states one. */
  version: string | undefined;
  /** The version that manifests describe, if it differs. */
  described?: string;
  /** The keys of inherited variables that have changed since its last deployment began. */
  changes: string[];
}

/**
 * Reads how the services of a choice stand: the statuses of their environment with one request, and with another one
 * what they have from it and from its project, where a service has been deployed with it and that is not remembered.
 *
 * @param organizationId undefined if nothing is remembered: the events since cost as much as the list of one environment
 */
export async function readStanding(
  { client, live }: LiveReader,
  organizationId: string | undefined,
  { environment: { address, live: environment }, services }: DeploymentChoice,
): Promise<EnvironmentDeploymentStatus> {
  const statuses = await live.statusesOf(client, environment);
  const inherits = ({ live: { id, kind } }: DeploymentChoice["services"][number]) =>
    inheritedParts(kind).length > 0 && statusOf(statuses, id)?.deployedAt !== undefined;
  const standing = (around: readonly PartEntry[] = []): EnvironmentDeploymentStatus => ({
    environment: { address, id: environment.id, state: statuses.state, deployedAt: statuses.deployedAt },
    services: services.map((service) => {
      const status = statusOf(statuses, service.live.id);
      const changes = status && inherits(service) ? changesToDeploy(status, around) : [];
      return {
        address: service.address,
        id: service.live.id,
        status,
        version: versionOf(service.live),
        changes,
      };
    }),
  });
  return services.some(inherits)
    ? live.recalled(client, organizationId, environment, inheritedParts(environment.kind), {}, standing)
    : standing();
}

/** Adds to a standing the described versions that differ from the live ones, by the keys of addresses. */
export function besideDescribed(
  { environment, services }: EnvironmentDeploymentStatus,
  versions: ReadonlyMap<string, string>,
): EnvironmentDeploymentStatus {
  return {
    environment,
    services: services.map((service) => {
      const described = versions.get(addressKey(service.address));
      return described === undefined || described === service.version ? service : { ...service, described };
    }),
  };
}
