import { type Address, childAddress } from "../../model/addresses/address.ts";
import { meantBy, writtenAddress } from "../../model/addresses/meant.ts";
import { textIn } from "../../values/json.ts";
import { type Kind, kindsInside } from "../../model/kinds/index.ts";
import {
  type Contents,
  joined,
  kindsOnDemand,
  type LiveReader,
  type LiveResource,
  type LiveStore,
  type Statuses,
  statusOf,
  versionOf,
} from "../../state/live/index.ts";
import { type Organization, unknownOrganization } from "../../state/organization.ts";
import type { Pattern } from "../../model/addresses/pattern.ts";
import { InvalidInputError } from "../../problems/problem.ts";
import { readLinks, type ServiceDeploymentStatus } from "../../deployments/index.ts";

export interface ListedResource extends Pick<ServiceDeploymentStatus, "address" | "id" | "version" | "urls"> {
  /** As the API has it: `DEPLOYED`; undefined if it is not deployed. */
  state: string | undefined;
  deploymentStatus: string | undefined;
  /** The name of its cluster. */
  cluster: string | undefined;
  /** As ISO 8601. */
  createdAt: string | undefined;
}

/** A live resource that matches patterns. */
export interface FoundResource {
  address: Address;
  live: LiveResource;
  cluster: string | undefined;
  /** The resource whose statuses have its state: itself, or its parent; undefined if it is not deployed. */
  deployedWith: LiveResource | undefined;
}

/** Lists the live resources that match patterns with their states, parents first. @throws InvalidInputError for an idle pattern */
export async function listResources(
  reader: LiveReader,
  organization: Organization,
  patterns: readonly Pattern[],
  addresses: LiveStore = reader.live,
): Promise<{ resources: ListedResource[]; unread: number }> {
  const found = await findResources(reader, organization, patterns);
  const parents = new Map(
    found.flatMap(({ deployedWith }) => (deployedWith ? [[deployedWith.id, deployedWith]] : [])),
  );
  const services = found.flatMap(({ live }) => (live.kind.deployment ? [live] : []));
  const [links, ...read] = await Promise.all([
    readLinks({ client: reader.client, live: addresses }, organization.id, services),
    ...[...parents].map(
      async ([id, parent]) => [id, await reader.live.statusesOf(reader.client, parent, 0)] as const,
    ),
  ]);
  const statuses = new Map(read);
  return {
    unread: links.unread,
    resources: found.map((resource) => ({
      ...listed(resource, statuses.get(resource.deployedWith?.id ?? "")),
      urls: links.byId.get(resource.live.id),
    })),
  };
}

/** Finds the live resources that match patterns, parents first; reads only lists that may have a match. */
export async function findResources(
  { client, live }: LiveReader,
  organization: Organization,
  patterns: readonly Pattern[],
): Promise<FoundResource[]> {
  const seen: Address[] = [];
  const chosen = (resource: FoundResource) =>
    patterns.some((pattern) => pattern.matches(resource.address)) ? [resource] : [];
  const ofOrganization = kindsOnDemand(undefined);
  const ofProjects = patterns.filter((pattern) => !ofOrganization.some((kind) => isNamedBy(pattern, kind)));

  const findIn = async (place: FoundResource): Promise<FoundResource[]> => {
    const { address, live: resource } = place;
    if (!ofProjects.some((pattern) => pattern.readsInside(address.names))) return chosen(place);
    const lists = await Promise.all([
      live.contentsOf(client, resource.kind, resource.id),
      ...kindsNamed(patterns, resource.kind).map((kind) => live.listOf(client, kind, resource.id)),
    ]);
    const children = childrenOf(place, joined(...lists));
    seen.push(...children.map((child) => child.address));
    const inside = await Promise.all(
      children.map((child) => (kindsInside(child.live.kind).length > 0 ? findIn(child) : chosen(child))),
    );
    return [...chosen(place), ...inside.flat()];
  };

  const [projects, ...beside] = await Promise.all([
    ofProjects.length === 0 ? joined() : live.contentsOf(client, undefined, organization.id),
    ...kindsNamed(patterns, undefined).map((kind) => live.listOf(client, kind, organization.id)),
  ]);
  if (!projects) throw unknownOrganization(organization);
  const [containers, others] = [rootsOf(projects), rootsOf(joined(...beside))];
  seen.push(...[...containers, ...others].map(({ address }) => address));
  const found = [...others.flatMap(chosen), ...(await Promise.all(containers.map(findIn))).flat()];
  refuseIdle(patterns, found, seen);
  return found;
}

/** The kinds in a parent, or the organization, with lists on demand that patterns name. */
function kindsNamed(patterns: readonly Pattern[], parent: Kind | undefined): Kind[] {
  return kindsOnDemand(parent).filter((kind) => patterns.some((pattern) => isNamedBy(pattern, kind)));
}

function isNamedBy({ text }: Pattern, { slug }: Kind): boolean {
  return text.toLowerCase().startsWith(`${slug}:`);
}

function rootsOf({ resources }: Contents): FoundResource[] {
  return resources.map((live) => ({
    address: { kind: live.kind, names: [live.name] },
    live,
    cluster: undefined,
    deployedWith: jointly(live),
  }));
}

function childrenOf({ address, live, cluster }: FoundResource, contents: Contents): FoundResource[] {
  return contents.resources.map((child) => ({
    address: childAddress(address, child.kind, child.name),
    live: child,
    cluster: textIn(child.response, "cluster_name") ?? cluster,
    deployedWith: jointly(child) ?? (child.kind.deployment && jointly(live)),
  }));
}

function jointly(resource: LiveResource): LiveResource | undefined {
  return resource.kind.jointDeployment && resource;
}

function listed(
  { address, live, cluster, deployedWith }: FoundResource,
  statuses: Statuses | undefined,
): Omit<ListedResource, "urls"> {
  const isParent = deployedWith === live;
  const own = isParent || !statuses ? undefined : statusOf(statuses, live.id);
  return {
    address,
    id: live.id,
    state: isParent ? statuses?.state : own?.state,
    deploymentStatus: own?.deploymentStatus,
    version: versionOf(live),
    cluster,
    createdAt: textIn(live.response, "created_at"),
  };
}

function refuseIdle(
  patterns: readonly Pattern[],
  found: readonly FoundResource[],
  seen: readonly Address[],
): void {
  const idle = patterns.filter((pattern) => !found.some(({ address }) => pattern.matches(address)));
  // A list of everything may be empty.
  const wrong = idle.filter(({ text }) => text !== "**");
  if (wrong.length === 0) return;
  throw new InvalidInputError(
    wrong.map(({ text }) => {
      const meant = meantBy(text, seen, writtenAddress);
      return {
        code: "target",
        unmatched: text,
        message: `"${text}" matches no live resource`,
        advice: `${meant === undefined ? "" : `did you mean ${meant}? `}name an environment, such as shop/production, or a pattern, such as job:shop/**`,
      };
    }),
  );
}
