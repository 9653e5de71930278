import { type Address, addressKey, childAddress, parentAddress } from "../address.ts";
import { isFields, own } from "../json.ts";
import { siblingsNamed } from "../kinds/index.ts";
import { statedParts } from "../parts/index.ts";
import type { Desired } from "./desired.ts";

/** A resource in the graph of manifests. */
export interface GraphNode {
  address: Address;
  /** Whether a document describes it; otherwise documents only mention it. */
  isDescribed: boolean;
}

/** The relation of one resource to another. */
export interface GraphEdge {
  /**
   * The one `contains` the other as its contents, is a `clone` of it, belongs to the stage `in` which it is deployed, is
   * deployed `after` that stage, or has a variable that is an `alias` of one of the other.
   */
  relation: "contains" | "clone" | "in" | "after" | "alias";
  from: Address;
  to: Address;
  /** Of an alias: the two keys. */
  keys?: { alias: string; target: string };
}

/** The dependencies between the resources of manifests. */
export interface Graph {
  nodes: GraphNode[];
  edges: GraphEdge[];
  /** Aliases of variables that no document states: those that the platform sets, for instance. */
  openAliases: { of: Address; alias: string; target: string }[];
}

/** The graph of documents alone: containment, clones, order of deployment and aliases. */
export function graphOf(resources: readonly Desired[]): Graph {
  const described = new Map(resources.map((desired) => [addressKey(desired.address), desired]));
  const nodes = new Map<string, GraphNode>();
  const edges: GraphEdge[] = [];
  const openAliases: Graph["openAliases"] = [];

  const visit = (address: Address): void => {
    const key = addressKey(address);
    if (nodes.has(key)) return;
    const parent = parentAddress(address);
    if (parent) visit(parent);
    nodes.set(key, { address: described.get(key)?.address ?? address, isDescribed: described.has(key) });
    if (parent) edges.push({ relation: "contains", from: parent, to: address });
  };
  const add = (edge: GraphEdge): void => {
    visit(edge.to);
    edges.push(edge);
  };

  for (const { address } of resources) visit(address);
  for (const desired of resources) {
    const { address, cloneFrom, stated } = desired;
    if (cloneFrom) add({ relation: "clone", from: address, to: cloneFrom });
    for (const { path, kind, name, output } of siblingsNamed(address.kind, stated)) {
      const parent = parentAddress(address);
      if (!parent) continue;
      const to = childAddress(parent, kind, name);
      const relation = output !== undefined ? "alias" : kind === address.kind ? "after" : "in";
      const keys = output !== undefined && { keys: { alias: path[1] ?? "", target: output } };
      add({ relation, from: address, to, ...keys });
    }
    for (const { alias, target } of aliasesIn(desired)) {
      const owner = ownerOf(described, address, target);
      if (owner) add({ relation: "alias", from: address, to: owner, keys: { alias, target } });
      else openAliases.push({ of: address, alias, target });
    }
  }
  return { nodes: [...nodes.values()].toSorted(byAddress), edges, openAliases };
}

function byAddress(one: GraphNode, other: GraphNode): number {
  // Parents come before their contents, and nothing comes between.
  const [left = "", right = ""] = [one, other].map(({ address }) => address.names.join("\0"));
  if (left === right) return one.address.kind.slug < other.address.kind.slug ? -1 : 1;
  return left < right ? -1 : 1;
}

/** The parts of a document that stand for other parts. */
function aliasesIn({ address, stated }: Desired): { alias: string; target: string }[] {
  return statedParts(address.kind).flatMap(({ member, form }) => {
    const entries = own(stated, member);
    if (!isFields(entries)) return [];
    return Object.entries(entries).flatMap(([key, entry]) =>
      isFields(entry)
        ? form
            .needs(entry, key)
            .filter(({ isAbove, isOutput }) => !isAbove && !isOutput)
            .map((need) => ({ alias: key, target: need.key }))
        : [],
    );
  });
}

/** The nearest resource, from this one up, whose document states a part of that key. */
function ownerOf(
  described: ReadonlyMap<string, Desired>,
  address: Address,
  key: string,
): Address | undefined {
  for (let at: Address | undefined = address; at; at = parentAddress(at)) {
    const desired = described.get(addressKey(at));
    const isStated = statedParts(at.kind).some(({ member }) => {
      const entries = desired && own(desired.stated, member);
      return isFields(entries) && Object.hasOwn(entries, key);
    });
    if (isStated) return at;
  }
  return undefined;
}
