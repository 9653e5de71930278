import { type Alias, isAlias, isMap, isNode, isScalar, isSeq, type ParsedNode } from "yaml";
import type { DocumentMistake, Path } from "./mistake.ts";

/** YAML nodes, and the nodes that the aliases among them refer to. */
export interface Tree {
  root: ParsedNode;
  targets: ReadonlyMap<Alias, ParsedNode>;
}

/**
 * The offset of a path: that of its value if the mistake is about the value and the value is a text, a number or the
 * like, else that of its key. If there is nothing at the path, the offset of its nearest ancestor.
 */
export function offsetOf(tree: Tree, path: Path, at: DocumentMistake["at"]): number {
  let key: ParsedNode | undefined;
  let value: ParsedNode | null = tree.root;
  for (const part of path) {
    const node: ParsedNode | null | undefined = isAlias(value) ? tree.targets.get(value) : value;
    const entry: Entry | undefined = node ? entryOf(node, part) : undefined;
    // The position of a mapping in a list is that of its first member.
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

/** Whether the value begins on the line of its key. */
function isShown(node: ParsedNode | null): node is ParsedNode {
  return isAlias(node) || (isScalar(node) && node.value !== null);
}
