import { isMap, isScalar, isSeq, type ParsedNode, type Scalar } from "yaml";
import type { Json } from "../../json.ts";
import { writeYaml } from "../../source/write.ts";
import { type Editing, indented, type Slot } from "./editing.ts";
import { refuseShared } from "./shared.ts";
import { contentEnd, lineEnd, linesEnd, lineStart, nextLine } from "./text.ts";

/** A value on one line, as it can stand inside `{ }` and `[ ]` too. */
export function inlineText(value: Json, scalar?: Scalar.Type): string {
  return writeYaml([value], { flow: true, scalar }).trimEnd().replace(/^\[ */, "").replace(/ *\]$/, "");
}

/** Writes a value in the place of what is there. @throws SharedValueError */
export function replaceSlot(editing: Editing, slot: Slot, value: Json): void {
  const { node } = slot;
  if (!node) {
    editing.insert(slot.after, ` ${inlineText(value)}`);
    return;
  }
  refuseShared(node, editing.targets);
  if (isScalar(node) && (node.type === "BLOCK_LITERAL" || node.type === "BLOCK_FOLDED"))
    return replaceBlockText(editing, slot, node, value);
  const { text } = editing;
  const [start] = node.range;
  const end = contentEnd(editing.text, node);
  const isBlock = (isMap(node) || isSeq(node)) && !node.flow;
  if (isBlock && lineStart(text, start) > slot.after) {
    // It begins below its key, perhaps below comments too: the new value goes behind the key, and the lines go.
    editing.insert(slot.after, ` ${inlineText(value)}`);
    const from = lineStart(text, start);
    const to = linesEnd(text, end);
    // Further left than the lines of a text, or they would belong to it.
    const comments = editing.commentLines(from, to, slot.column);
    editing.replace(from, to, comments === "" ? "" : `${comments.slice(1)}\n`);
    return;
  }
  const { first, body } = written(slot, value, scalarType(node));
  // A collection that ends with a block text ends with its line break.
  editing.replace(start, text[end - 1] === "\n" ? lineEnd(text, end - 2) : end, first);
  if (body !== "") editing.insert(lineEnd(text, end), body);
  const comments = editing.commentLines(start, end, slot.isFlow ? slot.column + 2 : slot.column);
  if (comments !== "") editing.addLines(end, comments.slice(1));
}

function scalarType(node: ParsedNode): Scalar.Type | undefined {
  return isScalar(node) ? node.type : undefined;
}

/** A value as it is written behind a key or dash: what stands on that line, and the lines below. */
function written(
  { column, isFlow }: Slot,
  value: Json,
  type?: Scalar.Type,
  indent = 2,
): { first: string; body: string } {
  const isText = typeof value === "string";
  if (isFlow || !isText) return { first: inlineText(value, isText ? flowType(type) : undefined), body: "" };
  const style = value.includes("\n") ? (type === "BLOCK_FOLDED" ? type : undefined) : type;
  const [first = "", ...lines] = writeYaml({ k: value }, { scalar: style, indent })
    .replace(/\n$/, "")
    .slice(3)
    .split("\n");
  const isBlock = /^[|>]/.test(first);
  if (!isBlock && lines.length > 0) return { first: inlineText(value, "QUOTE_DOUBLE"), body: "" };
  return { first, body: lines.length === 0 ? "" : `\n${indented(lines.join("\n"), column)}` };
}

function flowType(type: Scalar.Type | undefined): Scalar.Type | undefined {
  return type === "BLOCK_LITERAL" || type === "BLOCK_FOLDED" ? "QUOTE_DOUBLE" : type;
}

/** Replaces a text that is written as a block: its header keeps its comment, its lines keep their indentation. */
function replaceBlockText(editing: Editing, slot: Slot, node: ParsedNode, value: Json): void {
  const { text } = editing;
  const [start, end] = node.range;
  const bodyStart = nextLine(text, start);
  const header = /^[|>][-+0-9]*/.exec(text.slice(start, end))?.[0] ?? "";
  const [spaces = ""] = /^ +(?=\S)/m.exec(text.slice(bodyStart, end)) ?? [];
  // A text that begins with a space gets an indicator of its indentation, which is that of two spaces.
  const isPlain = typeof value === "string" && /^\S/.test(value);
  const indent = isPlain ? Math.max(1, spaces.length - slot.column) : 2;
  const { first, body } = written(slot, value, scalarType(node), indent);
  editing.replace(start, start + header.length, first);
  const lines = body === "" ? "" : `${body.slice(1)}\n`;
  editing.replace(bodyStart, end, text[end - 1] === "\n" || lines === "" ? lines : lines.trimEnd());
}
