import { type CST, isScalar, type ParsedNode, type Scalar } from "yaml";
import type { Json } from "../../../values/json.ts";
import { writeYaml } from "../../../source/write.ts";
import { commentsAmong, indented, isBlock, isMark, type Item, type Style } from "./tokens.ts";

export interface Slot {
  item: Item;
  /** The tokens of the item before its value: `start` for an element, `sep` for a member. */
  lead: "start" | "sep";
  /** Null: an empty value, as in `key:`. */
  node: ParsedNode | null;
  column: number;
  /** Whether it is inside `{ }` or `[ ]`. */
  isFlow: boolean;
}

/** A value on one line, as it can be inside `{ }` and `[ ]` too. */
export function inlineText(value: Json, scalar?: Scalar.Type): string {
  return writeYaml([value], { flow: true, scalar }).trimEnd().replace(/^\[ */, "").replace(/ *\]$/, "");
}

/** Replaces a value. The comments of the old value stay. */
export function replaceValue(slot: Slot, value: Json, style: Style): void {
  const { item, lead, node, column, isFlow } = slot;
  const { before, tail, comments } = surroundings(slot, style);
  const { first, lines } = written(slot, value, node && isScalar(node) ? node.type : undefined);
  const margin = " ".repeat(column);
  const token = style.token.bind(style);
  const end = isFlow
    ? [...tail, ...comments.map((text) => token(` ${text}\n${margin}  `))]
    : withLines(tail, [...lines, ...comments.map((text) => margin + text)], style);
  if (lead === "start") {
    delete item.key;
    delete item.sep;
  }
  item[lead] = before;
  item.value = { type: "scalar", offset: -1, indent: -1, source: first, end };
}

/** The tokens before a value, those after it in its line, and the comments in it. */
function surroundings(
  { item, lead, node, column, isFlow }: Slot,
  style: Style,
): { before: CST.SourceToken[]; tail: CST.SourceToken[]; comments: string[] } {
  const around = item[lead] ?? [];
  const token = node ? item.value : undefined;
  if (token && !isBlock(token)) {
    if (token.type === "flow-collection")
      return { before: around, tail: token.end.slice(1), comments: commentsAmong(token.items) };
    const tail = token.type === "block-scalar" ? token.props.slice(1) : "end" in token ? token.end : [];
    return { before: around, tail: (tail ?? []) as CST.SourceToken[], comments: [] };
  }
  const isComplete = lead === "start" || around.some(({ type }) => type === "map-value-ind");
  const missing = isComplete
    ? []
    : [style.token(isFlow || !item.start.some(isExplicit) ? ":" : `${" ".repeat(column)}:`)];
  const marks = around.findLastIndex(({ type }) => isMark(type)) + 1;
  const before = [...around.slice(0, marks), ...missing, style.token(" ")];
  const rest = around.slice(marks);
  if (!token) return { before, tail: rest, comments: [] };
  const line = rest.findIndex(({ type }) => type === "newline") + 1;
  return {
    before,
    tail: line === 0 ? [style.token("\n")] : rest.slice(0, line),
    comments: commentsAmong([...rest.slice(line), token]),
  };
}

function isExplicit({ type }: CST.SourceToken): boolean {
  return type === "explicit-key-ind";
}

function withLines(
  tail: readonly CST.SourceToken[],
  lines: readonly string[],
  style: Style,
): CST.SourceToken[] {
  if (lines.length === 0) return [...tail];
  const end = tail.findIndex(({ type, source }) => type === "newline" || source.endsWith("\n")) + 1;
  const line = end === 0 ? [...tail, style.token("\n")] : tail.slice(0, end);
  return [
    ...line,
    style.token(lines.map((text) => `${text}\n`).join("")),
    ...(end === 0 ? [] : tail.slice(end)),
  ];
}

/** A value behind a key or dash: the text on that line, and the lines below. */
function written(
  { item, column, isFlow }: Slot,
  value: Json,
  type: Scalar.Type | undefined,
): { first: string; lines: string[] } {
  const isText = typeof value === "string";
  if (isFlow || !isText) return { first: inlineText(value, isText ? flowType(type) : undefined), lines: [] };
  const style = value.includes("\n") ? (type === "BLOCK_FOLDED" ? type : undefined) : type;
  const [first = "", ...lines] = writeYaml(
    { k: value },
    { scalar: style, indent: indentOf(item, column, value) },
  )
    .replace(/\n$/, "")
    .slice(3)
    .split("\n");
  if (lines.length > 0 && !/^[|>]/.test(first))
    return { first: inlineText(value, "QUOTE_DOUBLE"), lines: [] };
  return { first, lines: lines.map((line) => indented(line, column)) };
}

/** The indentation of a text below its key: that of the text before it. */
function indentOf({ value: token }: Item, column: number, value: string): number {
  const [spaces = ""] = token?.type === "block-scalar" ? (/^ +(?=\S)/m.exec(token.source) ?? []) : [];
  // A text that begins with a space gets an indicator of its indentation, which is that of two spaces.
  return spaces !== "" && /^\S/.test(value) ? Math.max(1, spaces.length - column) : 2;
}

function flowType(type: Scalar.Type | undefined): Scalar.Type | undefined {
  return type === "BLOCK_LITERAL" || type === "BLOCK_FOLDED" ? "QUOTE_DOUBLE" : type;
}
