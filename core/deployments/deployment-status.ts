import { ApiError } from "../api/index.ts";
import { type Address, addressKey, formatAddress } from "../model/addresses/address.ts";
import { parsePattern } from "../model/addresses/pattern.ts";
import { InvalidInputError } from "../problems/problem.ts";
import type { Organization } from "../state/organization.ts";
import {
  changesToDeploy,
  type LiveReader,
  type LiveStore,
  type DeployedStatus,
  type Statuses,
  statusOf,
  versionOf,
} from "../state/live/index.ts";
import { versionIn } from "../model/kinds/index.ts";
import type { Fields } from "../values/json.ts";
import { inheritedParts, type PartEntry } from "../model/parts/index.ts";
import { chooseServices, type DeploymentChoice } from "./choose.ts";
import { readLinks } from "./links.ts";

/** The state of an environment, and of the services chosen in it. */
export interface EnvironmentDeploymentStatus {
  environment: { address: Address; id: string; state: string; deployedAt: string | undefined };
  services: ServiceDeploymentStatus[];
}

export interface ServiceDeploymentStatus {
  address: Address;
  id: string;
  /** Undefined where the server tells none. */
  status: DeployedStatus | undefined;
  /** The version in its fields, such as an image tag; undefined if no field states one. */
  version: string | undefined;
  /** The version that manifests describe, if it differs. */
  declared?: string;
  /** Where it can be reached; undefined: not read. */
  urls: readonly string[] | undefined;
  /** The keys of inherited variables that have changed since its last deployment began. */
  changes: string[];
}

/**
 * Reads how services stand, and where they can be reached: with `most`, only so many addresses that are not cached.
 * Returns the number of unread ones.
 */
export async function readDeploymentStatuses(
  reader: LiveReader,
  organizationId: string,
  choices: readonly DeploymentChoice[],
  {
    addresses = reader.live,
    isJustDeployed = false,
    most,
    failed,
  }: { addresses?: LiveStore; isJustDeployed?: boolean; most?: number; failed?: Set<string> } = {},
): Promise<{ statuses: EnvironmentDeploymentStatus[]; unread: number }> {
  const services = choices.flatMap((choice) => choice.services.map(({ live }) => live));
  const cached = most === undefined ? undefined : reader.live.known().statuses;
  const [links, ...statuses] = await Promise.all([
    readLinks({ client: reader.client, live: addresses }, organizationId, services, most, failed),
    ...choices.map((choice) =>
      statusOfChoice(reader, choices.length > 1 ? organizationId : undefined, choice, isJustDeployed, cached),
    ),
  ]);
  return {
    unread: links.unread,
    statuses: statuses.map((status) => ({
      ...status,
      services: status.services.map((service) => ({ ...service, urls: links.byId.get(service.id) })),
    })),
  };
}

/** Reads how services stand: one request for their environment, and one for its inherited values where these are not cached. */
async function statusOfChoice(
  { client, live }: LiveReader,
  organizationId: string | undefined,
  { environment: { address, live: environment }, services }: DeploymentChoice,
  isJustDeployed: boolean,
  cached: ReadonlyMap<string, Statuses> | undefined,
): Promise<EnvironmentDeploymentStatus> {
  const statuses = cached ? cached.get(environment.id) : await live.statusesOf(client, environment);
  const inherits = ({ live: { id, kind } }: DeploymentChoice["services"][number]) =>
    inheritedParts(kind).length > 0 && statuses && statusOf(statuses, id)?.deployedAt !== undefined;
  const { state = "", deployedAt } = statuses ?? {};
  const statusWith = (around: readonly PartEntry[] = []): EnvironmentDeploymentStatus => ({
    environment: { address, id: environment.id, state, deployedAt },
    services: services.map((service) => {
      const status = statuses && statusOf(statuses, service.live.id);
      const changes = status && inherits(service) ? changesToDeploy(status, around) : [];
      return {
        address: service.address,
        id: service.live.id,
        status,
        version: versionOf(service.live),
        urls: undefined,
        changes,
      };
    }),
  });
  const parts = inheritedParts(environment.kind);
  const isRead = !cached || live.parts.knows(client, environment, parts);
  return !isJustDeployed && isRead && services.some(inherits)
    ? live.recalled(client, cached ? undefined : organizationId, environment, parts, {}, statusWith)
    : statusWith();
}

/** Reads how the services that this run has deployed stand; none where the server does not tell. */
export async function readDeployed(
  reader: LiveReader,
  organization: Organization,
  addresses: readonly Address[],
): Promise<EnvironmentDeploymentStatus[]> {
  const patterns = addresses.map((address) => parsePattern(formatAddress(address)));
  try {
    const before = await chooseServices(reader, organization, patterns);
    // Nobody waits for the next hour to see this.
    if ((reader.client.budget.remaining ?? Infinity) < 2 * before.length + addresses.length) return [];
    // The fields say which version runs.
    await Promise.all(
      before.map(({ environment: { live } }) => reader.live.contentsOf(reader.client, live.kind, live.id, 0)),
    );
    const choices = await chooseServices(reader, organization, patterns);
    return (await readDeploymentStatuses(reader, organization.id, choices, { isJustDeployed: true }))
      .statuses;
  } catch (error) {
    if (error instanceof ApiError || error instanceof InvalidInputError) return [];
    throw error;
  }
}

/** The image tags and chart versions that documents declare, by the keys of the addresses of services. */
export function declaredVersions(
  documents: readonly { address: Address; declared: Fields }[],
): Map<string, string> {
  return new Map(
    documents.flatMap(({ address, declared }) => {
      const version = versionIn(address.kind, declared);
      return version === undefined ? [] : [[addressKey(address), version] as const];
    }),
  );
}

/** Adds to the status of an environment the declared versions that differ from the live ones, by the keys of addresses. */
export function withDeclaredVersions(
  { environment, services }: EnvironmentDeploymentStatus,
  versions: ReadonlyMap<string, string>,
): EnvironmentDeploymentStatus {
  return {
    environment,
    services: services.map((service) => {
      const declared = versions.get(addressKey(service.address));
      return declared === undefined || declared === service.version ? service : { ...service, declared };
    }),
  };
}
