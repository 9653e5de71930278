import { article } from "../values/text.ts";
import type { Address } from "../model/addresses/address.ts";
import type { Fields, Json } from "../values/json.ts";
import type { Kind, VersionMember } from "../model/kinds/index.ts";
import type { Loss } from "../model/loss.ts";
import type { Client } from "../api/index.ts";
import type { Statuses } from "../state/live/index.ts";
import type { Run } from "../operations/index.ts";

/** An action on live services. */
export type DeploymentAction = "deploy" | "stop" | "restart" | "cancel";

export type Version = Partial<Record<VersionMember, string>>;

/** A service to be deployed, stopped or restarted. */
export interface OrderedService {
  address: Address;
  id: string;
  version?: Version;
  /** The version that this one replaces; absent: none. */
  losses?: Loss[];
}

/** An action on one environment or on services in it. */
export interface DeploymentOrder {
  action: DeploymentAction;
  environment: { address: Address; id: string };
  /** Whether the action is on the whole environment; `services` are then the known services in it. */
  isWhole: boolean;
  services: readonly OrderedService[];
}

export interface OrderRequest {
  path: string;
  body?: Fields;
  /** The services of the request; undefined means the whole environment. */
  services: readonly OrderedService[] | undefined;
}

/** The requests of an order: one for an environment, or one for all services that are chosen in it. */
export function requestsOf(order: DeploymentOrder): OrderRequest[] {
  const { action, environment, isWhole, services } = order;
  const { id, address } = environment;
  const { jointDeployment } = address.kind;
  if (!jointDeployment)
    throw new TypeError(`the contents of ${article(address.kind.name)} are not deployed together`);
  const { all, some } = jointDeployment;
  switch (action) {
    case "cancel":
      return [{ path: all.cancel(id), body: {}, services: undefined }];
    case "deploy":
      return isWhole
        ? [{ path: all.deploy(id), services: undefined }]
        : [{ path: some.deploy(id), body: deployBody(services), services }];
    case "stop":
      return isWhole
        ? [{ path: all.stop(id), services: undefined }]
        : [{ path: some.stop(id), body: idsBody(services), services }];
    case "restart":
      return [{ path: some.restart(id), body: idsBody(services), services }];
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
  if (!deployment) throw new TypeError(`${article(name)} cannot be deployed`);
  return deployment;
}

/** Reads the statuses of the environment of an order: one request. */
export function readStatuses(
  { live }: Run,
  { environment: { address, id } }: DeploymentOrder,
  client: Client,
): Promise<Statuses> {
  return live.statusesOf(client, { kind: address.kind, id }, 0);
}
