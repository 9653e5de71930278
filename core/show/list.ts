import { type Address, childAddress, formatAddress } from "../address.ts";
import { textIn } from "../json.ts";
import { type Kind, kindsInside } from "../kinds/index.ts";
import {
  type Contents,
  joined,
  kindsOnDemand,
  type LiveReader,
  type LiveResource,
  type Statuses,
  statusOf,
  versionOf,
} from "../live/index.ts";
import { type Organization, unknownOrganization } from "../organization.ts";
import type { Pattern } from "../pattern.ts";
import { InvalidInputError } from "../problem.ts";
import { nearest } from "../schema/suggest.ts";

/** A live resource in a list. */
export interface ListedResource {
  address: Address;
  id: string;
  /** As the API has it: `DEPLOYED`; undefined if it is not deployed. */
  state: string | undefined;
  deploymentStatus: string | undefined;
  /** The version in its fields, such as an image tag; undefined if no field states one. */
  version: string | undefined;
  /** The name of the cluster that it runs on. */
  cluster: string | undefined;
  /** As ISO 8601. */
  createdAt: string | undefined;
}

/** A live resource with its address and the cluster that it runs on. */
interface LiveEntry {
  address: Address;
  live: LiveResource;
  cluster: string | undefined;
}

/**
 * Lists the live resources that patterns choose, parents first. Reads only parents that may contain chosen resources: one
 * list for each, and one of the statuses for each parent in which something is chosen. The lists that are read on
 * demand only, such as those of what belongs to the organization, are read for patterns that name such a kind.
 *
 * @throws InvalidInputError when a pattern chooses nothing
 */
export async function listResources(
  { client, live }: LiveReader,
  organization: Organization,
  patterns: readonly Pattern[],
): Promise<ListedResource[]> {
  const seen: Address[] = [];
  const chooses = (address: Address) => patterns.some((pattern) => pattern.matches(address));
  const ofOrganization = kindsOnDemand(undefined);
  const ofProjects = patterns.filter((pattern) => !ofOrganization.some((kind) => isNamedBy(pattern, kind)));

  const listPlace = async (
    place: LiveEntry,
    inParent?: Pick<ListedResource, "state" | "deploymentStatus">,
  ): Promise<ListedResource[]> => {
    const { address, live: resource, cluster } = place;
    const looksInside = ofProjects.some((pattern) => pattern.looksInside(address.names));
    const lists = await Promise.all(
      looksInside
        ? [
            live.contentsOf(client, resource.kind, resource.id),
            ...kindsNamed(patterns, resource.kind).map((kind) => live.listOf(client, kind, resource.id)),
          ]
        : [],
    );
    const children = childrenOf(place, joined(...lists));
    seen.push(...children.map((child) => child.address));
    const isShown = chooses(address) || children.some((child) => chooses(child.address));
    const statuses =
      resource.kind.jointDeployment && isShown ? await live.readStatuses(client, resource) : undefined;
    const inside = await Promise.all(
      children.map((child) =>
        kindsInside(child.live.kind).length > 0
          ? listPlace(child, stateIn(statuses, child.live))
          : chooses(child.address)
            ? [listed(child, stateIn(statuses, child.live))]
            : [],
      ),
    );
    const own = chooses(address)
      ? [
          listed(
            { address, live: resource, cluster },
            statuses ? { state: statuses.state } : (inParent ?? {}),
          ),
        ]
      : [];
    return [...own, ...inside.flat()];
  };

  const [projects, ...beside] = await Promise.all([
    ofProjects.length === 0 ? joined() : live.contentsOf(client, undefined, organization.id),
    ...kindsNamed(patterns, undefined).map((kind) => live.listOf(client, kind, organization.id)),
  ]);
  if (!projects) throw unknownOrganization(organization);
  const [containers, others] = [rootsOf(projects), rootsOf(joined(...beside))];
  seen.push(...[...containers, ...others].map(({ address }) => address));
  const found = [
    ...others.filter(({ address }) => chooses(address)).map((other) => listed(other, {})),
    ...(await Promise.all(containers.map((root) => listPlace(root)))).flat(),
  ];
  refuseIdle(patterns, found, seen);
  return found;
}

/** The kinds inside a parent, or of the organization, whose list is read on demand only, and that patterns name. */
function kindsNamed(patterns: readonly Pattern[], parent: Kind | undefined): Kind[] {
  return kindsOnDemand(parent).filter((kind) => patterns.some((pattern) => isNamedBy(pattern, kind)));
}

function isNamedBy({ text }: Pattern, { slug }: Kind): boolean {
  return text.toLowerCase().startsWith(`${slug}:`);
}

function rootsOf({ resources }: Contents): LiveEntry[] {
  return resources.map((live) => ({
    address: { kind: live.kind, names: [live.name] },
    live,
    cluster: undefined,
  }));
}

function childrenOf({ address, cluster }: LiveEntry, contents: Contents): LiveEntry[] {
  return contents.resources.map((child) => ({
    address: childAddress(address, child.kind, child.name),
    live: child,
    cluster: textIn(child.response, "cluster_name") ?? cluster,
  }));
}

function stateIn(
  statuses: Statuses | undefined,
  { id, kind }: LiveResource,
): Pick<ListedResource, "state" | "deploymentStatus"> {
  const status = statuses && kind.deployment ? statusOf(statuses, id) : undefined;
  return { state: status?.state, deploymentStatus: status?.deploymentStatus };
}

function listed(
  { address, live, cluster }: LiveEntry,
  { state, deploymentStatus }: Partial<Pick<ListedResource, "state" | "deploymentStatus">>,
): ListedResource {
  return {
    address,
    id: live.id,
    state,
    deploymentStatus,
    version: versionOf(live),
    cluster,
    createdAt: textIn(live.response, "created_at"),
  };
}

function refuseIdle(
  patterns: readonly Pattern[],
  found: readonly ListedResource[],
  seen: readonly Address[],
): void {
  const idle = patterns.filter((pattern) => !found.some(({ address }) => pattern.matches(address)));
  // A list of everything may be empty.
  const wrong = idle.filter(({ text }) => text !== "**");
  if (wrong.length === 0) return;
  const names = seen.flatMap((address) => [formatAddress(address), address.names.join("/")]);
  throw new InvalidInputError(
    wrong.map(({ text }) => {
      const meant = nearest(text, names);
      return {
        code: "target",
        message: `"${text}" matches no live resource`,
        advice: `${meant === undefined ? "" : `did you mean ${meant}? `}name an environment, such as shop/production, or a pattern, such as job:shop/**`,
      };
    }),
  );
}
