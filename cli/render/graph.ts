import { type Address, addressKey, formatAddress, formatReference, nameOf } from "../../core/address.ts";
import type { Graph, GraphEdge, GraphNode } from "../../core/manifest/index.ts";
import { escapeControl } from "../../core/text.ts";

/** The forms of a graph. */
export type GraphFormat = "text" | "mermaid" | "dot";

/** A graph in one of its forms. */
export function renderGraph(graph: Graph, format: GraphFormat): string {
  switch (format) {
    case "mermaid":
      return renderMermaid(graph);
    case "dot":
      return renderDot(graph);
    default:
      return renderTree(graph);
  }
}

/** A tree of resources and their contents; other relations follow each resource on its line. */
function renderTree({ nodes, edges, openAliases }: Graph): string {
  const lines = nodes.map(({ address, isDescribed }) => {
    const key = addressKey(address);
    const more = [
      ...(isDescribed ? [] : ["no document"]),
      ...edges
        .filter(({ relation, from }) => relation !== "contains" && addressKey(from) === key)
        .map((edge) => phrase(edge)),
      ...openAliases
        .filter(({ of }) => addressKey(of) === key)
        .map(({ alias, target }) => `${alias} is an alias of ${target}`),
    ];
    const { kind, names } = address;
    const head = `${"  ".repeat(names.length - 1)}${kind.name} ${nameOf(address)}`;
    return escapeControl(more.length === 0 ? head : `${head}  (${more.join("; ")})`);
  });
  return lines.join("\n");
}

function phrase({ relation, from, to, keys }: GraphEdge): string {
  switch (relation) {
    case "clone":
      return `clone of ${formatReference(to.names)}`;
    case "in":
      return `in stage ${nameOf(to)}`;
    case "after":
      return `after ${nameOf(to)}`;
    default: {
      const owner = addressKey(from) === addressKey(to) ? "" : ` of ${formatAddress(to)}`;
      return `${keys?.alias} is an alias of ${keys?.target}${owner}`;
    }
  }
}

const labels: Record<GraphEdge["relation"], string> = {
  contains: "contains",
  clone: "clone of",
  in: "in stage",
  after: "after",
  alias: "alias of",
};

function labelOf({ relation, keys }: GraphEdge): string {
  return keys ? `${keys.alias} is ${labels[relation]} ${keys.target}` : labels[relation];
}

/** An id for each node that both languages accept. */
function idsOf(nodes: readonly GraphNode[]): (address: Address) => string {
  const ids = new Map(nodes.map(({ address }, index) => [addressKey(address), `n${index + 1}`]));
  return (address) => ids.get(addressKey(address)) ?? "n0";
}

function renderMermaid({ nodes, edges }: Graph): string {
  const id = idsOf(nodes);
  const quoted = (text: string) =>
    `"${escapeControl(text).replaceAll("#", "#35;").replaceAll('"', "#quot;")}"`;
  return [
    "flowchart LR",
    ...nodes.map(({ address }) => `  ${id(address)}[${quoted(`${address.kind.name} ${nameOf(address)}`)}]`),
    ...edges.map((edge) =>
      edge.relation === "contains"
        ? `  ${id(edge.from)} --> ${id(edge.to)}`
        : `  ${id(edge.from)} -. ${quoted(labelOf(edge))} .-> ${id(edge.to)}`,
    ),
  ].join("\n");
}

function renderDot({ nodes, edges }: Graph): string {
  const id = idsOf(nodes);
  const quoted = (text: string) => `"${escapeControl(text).replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
  return [
    "digraph infrasync {",
    "  rankdir=LR;",
    "  node [shape=box];",
    ...nodes.map(
      ({ address, isDescribed }) =>
        `  ${id(address)} [label=${quoted(`${address.kind.name} ${nameOf(address)}`)}${isDescribed ? "" : ", style=dashed"}];`,
    ),
    ...edges.map((edge) =>
      edge.relation === "contains"
        ? `  ${id(edge.from)} -> ${id(edge.to)};`
        : `  ${id(edge.from)} -> ${id(edge.to)} [style=dashed, label=${quoted(labelOf(edge))}];`,
    ),
    "}",
  ].join("\n");
}

/** The same for programs. */
export function graphJson({ nodes, edges, openAliases }: Graph): object {
  return {
    nodes: nodes.map(({ address, isDescribed }) => ({
      address: formatAddress(address),
      described: isDescribed,
    })),
    edges: edges.map(({ relation, from, to, keys }) => ({
      relation,
      from: formatAddress(from),
      to: formatAddress(to),
      ...keys,
    })),
    open_aliases: openAliases.map(({ of, ...keys }) => ({ of: formatAddress(of), ...keys })),
  };
}
