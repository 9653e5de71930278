import { isScalar, type Alias, isAlias, isMap, isNode, isSeq, type ParsedNode } from "yaml";
import { Lines } from "./lines.ts";
import type { PlacedMistake, DocumentMistake, Path } from "./mistake.ts";
import type { OffsetOf, SourceDocument } from "./source-document.ts";
import { readYaml, type YamlDocument } from "./stream.ts";
import { valueOf } from "./value.ts";
import type { Variables } from "./variables.ts";

/** The documents of a YAML text, one at a time. @param variables the values of `${NAME}`; without them, texts stay */
export function* readDocuments(lines: Lines, variables?: Variables): Generator<SourceDocument, void> {
  for (const document of readYaml(lines.text)) yield toDocument(document, lines, variables);
}

function toDocument(
  { root, mistakes, start, end }: YamlDocument,
  lines: Lines,
  variables: Variables | undefined,
): SourceDocument {
  if (mistakes.length > 0 || !root || (isScalar(root) && root.value === null)) {
    const firsts = firstOfEachLine(mistakes, lines);
    const offset = () => root?.range[0] ?? start;
    return { value: undefined, holes: [], mistakes: firsts, start, offsetOf: offset, offsetAgain: offset };
  }
  const isPattern = isTemplate(root);
  const read = nodeAsDocument(root, isPattern ? undefined : variables);
  return isPattern
    ? { ...read, root, start }
    : { ...read, start, offsetAgain: parsingAgain(lines, start, end) };
}

/** The `kind` of a document whose texts are filled in where it is used. */
export const templateKind = "Template";

/** Whether a document is a template, whose texts stay. */
export function isTemplate(root: ParsedNode): boolean {
  return isMap(root) && (root.get("kind") as unknown) === templateKind;
}

export function nodeAt(root: ParsedNode, path: Path): ParsedNode | undefined {
  return path.reduce<ParsedNode | undefined>(
    (node, part) => (node && entryOf(node, part)?.value) ?? undefined,
    root,
  );
}

/** A node as a document of its own. @param variables the values of `${NAME}`; without them, texts stay */
export function nodeAsDocument(root: ParsedNode, variables: Variables | undefined): SourceDocument {
  const { value, mistakes, incomplete, holes, targets } = valueOf(root, variables);
  const offset: OffsetOf = (path, at) => offsetOf({ root, targets }, path, at);
  return {
    value: incomplete ? undefined : value,
    holes,
    mistakes,
    start: root.range[0],
    offsetOf: offset,
    offsetAgain: offset,
  };
}

/** A separate function, because functions of one scope keep each other's values in memory. */
function parsingAgain({ text }: Lines, start: number, end: number): OffsetOf {
  let again: SourceDocument | undefined;
  return (path, at) => {
    [again] = again ? [again] : readDocuments(new Lines(text.slice(start, end), ""));
    return start + (again?.offsetOf(path, at) ?? 0);
  };
}

/** One typing mistake makes the parser report several errors; the first error of a line is the useful one. */
function firstOfEachLine(mistakes: readonly PlacedMistake[], lines: Lines): PlacedMistake[] {
  const firsts = new Map(mistakes.toReversed().map((mistake) => [lines.line(mistake.offset), mistake]));
  return [...firsts].toSorted(([left], [right]) => left - right).map(([, mistake]) => mistake);
}

/** The offset of a scalar value if the mistake is about it, else of its key, else of the nearest ancestor. */
function offsetOf(
  tree: { root: ParsedNode; targets: ReadonlyMap<Alias, ParsedNode> },
  path: Path,
  at: DocumentMistake["at"],
): number {
  let key: ParsedNode | undefined;
  let value: ParsedNode | null = tree.root;
  for (const part of path) {
    const node: ParsedNode | null | undefined = isAlias(value) ? tree.targets.get(value) : value;
    const entry: Entry | undefined = node ? entryOf(node, part) : undefined;
    // The position of a mapping in a list is that of its first member.
    if (!entry) break;
    ({ key, value } = entry);
  }
  const desired = at === "value" && isShown(value) ? value : (key ?? value ?? tree.root);
  return desired.range[0];
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
