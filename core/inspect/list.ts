import { type Address, childAddress, formatAddress } from "../address.ts";
import { textIn } from "../json.ts";
import { type Kind, kindsInside } from "../kinds/index.ts";
import {
  type Contents,
  isOnDemand,
  joined,
  type LiveReader,
  type LiveResource,
  type Statuses,
  statusOf,
} from "../live/index.ts";
import { type Organization, unknownOrganization } from "../organization.ts";
import type { Pattern } from "../pattern.ts";
import { InvalidInputError } from "../problem.ts";
import { nearest } from "../schema/suggest.ts";

/** A live resource in a list. */
export interface ListedResource {
  address: Address;
  id: string;
  /** As the API has it: `DEPLOYED`; undefined for what is not deployed. */
  state: string | undefined;
  deploymentStatus: string | undefined;
  /** The name of the cluster that it runs on. */
  cluster: string | undefined;
  /** As ISO 8601. */
  createdAt: string | undefined;
}

/** A live resource that contains others, and its statuses if they are known. */
interface Place {
  address: Address;
  live: LiveResource;
  cluster: string | undefined;
}

/**
 * Lists the live resources that patterns choose, parents first. Reads only parents that may contain chosen resources: one
 * list for each, and one of the statuses for each parent in which something is chosen. The lists that are read on
 * demand only are read for patterns that name such a kind.
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

  const listPlace = async (
    place: Place,
    inParent?: Pick<ListedResource, "state" | "deploymentStatus">,
  ): Promise<ListedResource[]> => {
    const { address, live: resource, cluster } = place;
    const looksInside = patterns.some((pattern) => pattern.looksInside(address.names));
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
      resource.kind.statusesPath && isShown ? await live.lookAtStatuses(client, resource) : undefined;
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

  const projects = await live.contentsOf(client, undefined, organization.id);
  if (!projects) throw unknownOrganization(organization);
  const roots = projects.resources.map((resource) => ({
    address: { kind: resource.kind, names: [resource.name] },
    live: resource,
    cluster: undefined,
  }));
  seen.push(...roots.map(({ address }) => address));
  const found = (await Promise.all(roots.map((root) => listPlace(root)))).flat();
  refuseIdle(patterns, found, seen);
  return found;
}

/** The kinds inside a parent whose list is read on demand only, and that patterns name. */
function kindsNamed(patterns: readonly Pattern[], parent: Kind): Kind[] {
  return kindsInside(parent).filter(
    (kind) => isOnDemand(kind) && patterns.some(({ text }) => text.toLowerCase().startsWith(`${kind.slug}:`)),
  );
}

function childrenOf({ address, cluster }: Place, contents: Contents): Place[] {
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
  { address, live, cluster }: Place,
  { state, deploymentStatus }: Partial<Pick<ListedResource, "state" | "deploymentStatus">>,
): ListedResource {
  return {
    address,
    id: live.id,
    state,
    deploymentStatus,
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
