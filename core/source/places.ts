import { type Alias, isAlias, isMap, isNode, isScalar, isSeq, type ParsedNode } from "yaml";
import type { DocumentMistake, Path } from "./mistake.ts";

/** Nodes, and what the aliases among them stand for. */
export interface Tree {
  root: ParsedNode;
  targets: ReadonlyMap<Alias, ParsedNode>;
}

/**
 * The offset of what a path leads to: of the value when it is a text, a number or the like and is meant, else of its
 * key. Where the path leads to nothing, of the nearest that is above it.
 */
export function offsetOf(tree: Tree, path: Path, at: DocumentMistake["at"]): number {
  let key: ParsedNode | undefined;
  let value: ParsedNode | null = tree.root;
  for (const part of path) {
    const node: ParsedNode | null | undefined = isAlias(value) ? tree.targets.get(value) : value;
    const entry: Entry | undefined = node ? entryOf(node, part) : undefined;
    // A mapping in a list is where its first member is.
    if (!entry) break;
    ({ key, value } = entry);
  }
  const wanted = at === "value" && isShown(value) ? value : (key ?? value ?? tree.root);
  return wanted.range[0];
}

interface Entry {
  key: ParsedNode | undefined;
  value: ParsedNode | null;
}

function entryOf(node: ParsedNode, part: string | number): Entry | undefined {
  if (isMap(node)) {
    const pair = node.items.find(({ key }) => isScalar(key) && key.value === part);
    return pair && { key: pair.key, value: pair.value };
  }
  if (isSeq(node) && typeof part === "number") {
    const value = node.items[part];
    return value && isNode(value) ? { key: undefined, value } : undefined;
  }
  return undefined;
}

/** Whether there is something of the value on the line that its key is on. */
function isShown(node: ParsedNode | null): node is ParsedNode {
  return isAlias(node) || (isScalar(node) && node.value !== null);
}
