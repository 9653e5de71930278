import {
  CST,
  isAlias,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  Lexer,
  type ParsedNode,
  type YAMLMap,
} from "yaml";

/** A change of a text: the characters from `start` to `end` become `text`. */
export interface Splice {
  start: number;
  end: number;
  text: string;
}

/** The text after splices that do not overlap. Of several at one place, insertions come first, in their order. */
export function spliced(text: string, splices: readonly Splice[]): string {
  const ordered = splices.toSorted(
    (left, right) =>
      left.start - right.start || Number(left.end > left.start) - Number(right.end > right.start),
  );
  let result = "";
  let at = 0;
  for (const { start, end, text: inserted } of ordered) {
    if (start < at) throw new RangeError("two changes of one place");
    result += text.slice(at, start) + inserted;
    at = end;
  }
  return result + text.slice(at);
}

/** A comment of a YAML text, from its `#` to the end of its line. */
export interface Comment {
  start: number;
  text: string;
}

const marks: ReadonlySet<string> = new Set([CST.DOCUMENT, CST.FLOW_END, CST.SCALAR]);

/** The comments of a YAML text, in its order. */
export function commentsIn(text: string): Comment[] {
  const comments: Comment[] = [];
  let at = 0;
  for (const lexeme of new Lexer().lex(text)) {
    // These stand for what the text does not have: the start of a document or of a scalar, the end of a flow collection.
    if (marks.has(lexeme)) continue;
    if (CST.tokenType(lexeme) === "comment") comments.push({ start: at, text: lexeme.trimEnd() });
    at += lexeme.length;
  }
  return comments;
}

/** Where the line of an offset starts. */
export function lineStart(text: string, offset: number): number {
  return text.lastIndexOf("\n", offset - 1) + 1;
}

/** Where the line of an offset ends, before its line break. */
export function lineEnd(text: string, offset: number): number {
  const end = text.indexOf("\n", offset);
  if (end === -1) return text.length;
  return end > offset && text[end - 1] === "\r" ? end - 1 : end;
}

/** Where the next line starts; the end of the text after the last line. */
export function nextLine(text: string, offset: number): number {
  const end = text.indexOf("\n", offset);
  return end === -1 ? text.length : end + 1;
}

/** Where the lines of a part end, with the last line break: the lines of a block text end with one of their own. */
export function linesEnd(text: string, end: number): number {
  return text[end - 1] === "\n" ? end : nextLine(text, end);
}

/** The number of characters before an offset in its line. */
export function columnOf(text: string, offset: number): number {
  return offset - lineStart(text, offset);
}

/** Whether there are only spaces before an offset in its line. */
export function isFirstInLine(text: string, offset: number): boolean {
  return /^ *$/.test(text.slice(lineStart(text, offset), offset));
}

/** Where the characters of a node end, without the comments and spaces after it. */
export function contentEnd(text: string, node: ParsedNode): number {
  const isBlock = (isMap(node) || isSeq(node)) && !node.flow;
  if (isEmpty(node)) return lastInk(text, node.range[1]);
  if (!isBlock) return node.range[1];
  const last = node.items.at(-1);
  if (isPair(last)) return pairEnd(text, last);
  return isNode(last) ? contentEnd(text, last as ParsedNode) : node.range[1];
}

/** A member of a mapping. */
export type Member = YAMLMap.Parsed["items"][number];

/** Where a member of a mapping ends. */
export function pairEnd(text: string, { key, value }: Member): number {
  return value ? contentEnd(text, value) : key.range[1];
}

/** Where the last character before an offset ends that is no space and no tab. */
function lastInk(text: string, offset: number): number {
  let at = offset;
  while (/[ \t]/.test(text[at - 1] ?? "")) at--;
  return at;
}

/** Whether the node has no characters: `key:` alone. */
export function isEmpty(node: ParsedNode): boolean {
  return isScalar(node) && node.range[0] === node.range[1];
}

/** The nodes inside a node, and the node itself. */
export function* nodesIn(node: ParsedNode | null): Generator<ParsedNode> {
  if (!node) return;
  yield node;
  if (isAlias(node) || isScalar(node)) return;
  for (const item of node.items)
    if (isPair(item)) yield* nodesIn((item as Member).value);
    else yield* nodesIn(item as ParsedNode);
}
