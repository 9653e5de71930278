import type { Address } from "../address.ts";
import { path } from "../api/index.ts";
import type { Fields, Json } from "../json.ts";
import type { Kind, VersionMember } from "../kinds/index.ts";

/** An action on live services. */
export type DeploymentAction = "deploy" | "redeploy" | "stop" | "restart" | "cancel";

/** The version that a deployment is to run. */
export type Version = Partial<Record<VersionMember, string>>;

/** A service to be deployed, stopped or restarted. */
export interface OrderedService {
  address: Address;
  id: string;
  version?: Version;
}

/** An action on one environment or on services in it. */
export interface DeploymentOrder {
  action: DeploymentAction;
  environment: { address: Address; id: string };
  /** Whether the action is on the whole environment; `services` are then the known services in it. */
  isWhole: boolean;
  services: readonly OrderedService[];
}

/** One request of an order. */
export interface OrderRequest {
  path: string;
  body?: Fields;
  /** The services of the request; undefined: the whole environment. */
  services: readonly OrderedService[] | undefined;
}

/**
 * The requests of an order: one for an environment, and one for all services that are chosen in it. Only to deploy
 * several services again takes one each: the API has none for all of them.
 */
export function requestsOf(order: DeploymentOrder): OrderRequest[] {
  const { action, environment, isWhole, services } = order;
  const { id } = environment;
  switch (action) {
    case "cancel":
      return [{ path: path`/environment/${id}/cancelDeployment`, body: {}, services: undefined }];
    case "deploy":
      return isWhole
        ? [{ path: path`/environment/${id}/deploy`, services: undefined }]
        : [{ path: path`/environment/${id}/service/deploy`, body: deployBody(services), services }];
    case "redeploy":
      return isWhole
        ? [{ path: path`/environment/${id}/redeploy`, services: undefined }]
        : services.map((service) => ({
            path: `${service.address.kind.path(service.id)}/redeploy`,
            services: [service],
          }));
    case "stop":
      return isWhole
        ? [{ path: path`/environment/${id}/stop`, services: undefined }]
        : [{ path: path`/environment/${id}/service/stop`, body: idsBody(services), services }];
    case "restart":
      return [{ path: path`/environment/${id}/service/restart-service`, body: idsBody(services), services }];
    default:
      return action satisfies never;
  }
}

function deployBody(services: readonly OrderedService[]): Fields {
  return byMember(
    services,
    ({ list }) => list,
    ({ id, address, version = {} }) => {
      const { idMember } = deploymentOf(address.kind);
      return idMember === undefined ? id : { [idMember]: id, ...version };
    },
  );
}

function idsBody(services: readonly OrderedService[]): Fields {
  return byMember(
    services,
    ({ ids }) => ids,
    ({ id }) => id,
  );
}

function byMember(
  services: readonly OrderedService[],
  memberOf: (deployment: ReturnType<typeof deploymentOf>) => string,
  elementOf: (service: OrderedService) => Json,
): Fields {
  const groups = Map.groupBy(services, ({ address }) => memberOf(deploymentOf(address.kind)));
  return Object.fromEntries([...groups].map(([member, group]) => [member, group.map(elementOf)]));
}

function deploymentOf({ name, deployment }: Kind) {
  if (!deployment) throw new TypeError(`a ${name} cannot be deployed`);
  return deployment;
}
