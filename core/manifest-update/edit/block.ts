import type { ParsedNode } from "yaml";
import type { Fields, Json } from "../../json.ts";
import { writeYaml } from "../../source/write.ts";
import { type Editing, indented } from "./editing.ts";
import { refuseShared } from "./shared.ts";
import { contentEnd, isFirstInLine, lineStart, linesEnd, type Member, pairEnd } from "./text.ts";

/** A part of a block collection: a member, or an element with its dash. */
interface BlockPart {
  start: number;
  end: number;
  node: ParsedNode | null;
}

/** Removes and adds members of a block mapping. @throws SharedValueError */
export function changeBlockMembers(
  editing: Editing,
  members: readonly Member[],
  removed: readonly Member[],
  added: Fields,
  column: number,
): void {
  const parts = members.map((member) => ({
    start: startOf(editing, member),
    end: Math.max(pairEnd(editing.text, member), colonEnd(editing, member)),
    node: member.value,
  }));
  const gone = members.flatMap((member, index) => (removed.includes(member) ? [index] : []));
  const text =
    Object.keys(added).length === 0 ? "" : writeYaml(added, { indentSeq: editing.indentSeq }).trimEnd();
  changeParts(editing, parts, gone, text === "" ? [] : [{ after: members.length - 1, text }], column);
}

/** Removes and adds elements of a block list. @throws SharedValueError */
export function changeBlockItems(
  editing: Editing,
  { items, dashes, column }: { items: readonly ParsedNode[]; dashes: readonly number[]; column: number },
  removed: readonly number[],
  added: readonly { after: number; value: Json }[],
): void {
  const parts = items.map((node, index) => ({
    start: dashes[index] ?? 0,
    end: Math.max(contentEnd(editing.text, node), (dashes[index] ?? 0) + 1),
    node,
  }));
  const written = added.map(({ after, value }) => ({
    after,
    text: writeYaml([value], { indentSeq: editing.indentSeq }).trimEnd(),
  }));
  changeParts(editing, parts, removed, written, column);
}

/** Where a member begins: at its `?`, if it has one. */
function startOf({ text }: Editing, { key }: Member): number {
  const line = text.slice(lineStart(text, key.range[0]), key.range[0]);
  const mark = /\?\s+$/.exec(line);
  return mark ? key.range[0] - mark[0].length : key.range[0];
}

function colonEnd({ text }: Editing, { key }: Member): number {
  const colon = /^\s*:/.exec(text.slice(key.range[1]));
  return colon ? key.range[1] + colon[0].length : key.range[1];
}

function changeParts(
  editing: Editing,
  parts: readonly BlockPart[],
  removed: readonly number[],
  added: readonly { after: number; text: string }[],
  column: number,
): void {
  for (const index of removed) {
    const node = parts[index]?.node;
    if (node) refuseShared(node, editing.targets);
  }
  const [first] = parts;
  const last = parts.at(-1);
  if (!first || !last) return;
  if (removed.length === parts.length) {
    const text = indented(added.map((part) => part.text).join("\n"), column).slice(column);
    const end = linesEnd(editing.text, last.end);
    const ending = editing.text[end - 1] === "\n" ? "\n" : "";
    editing.replace(first.start, end, text + editing.commentLines(first.start, end, column) + ending);
    return;
  }
  const isGone = (index: number) => removed.includes(index);
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index];
    if (!part || !isGone(index)) continue;
    if (isFirstInLine(editing.text, part.start)) removeLines(editing, part, column);
    else {
      // It stands behind a dash, so what follows takes its place there.
      while (isGone(index + 1)) index++;
      const next = parts[index + 1];
      if (next) removeFirst(editing, part.start, next.start, column);
    }
  }
  for (const { after, text } of added) addPart(editing, parts, isGone, after, indented(text, column), column);
}

function removeLines(editing: Editing, { start, end }: BlockPart, column: number): void {
  const { text } = editing;
  const from = lineStart(text, start);
  const to = linesEnd(text, end);
  const comments = editing.commentLines(from, to, column);
  editing.replace(from, to, comments === "" ? "" : `${comments.slice(1)}\n`);
}

function removeFirst(editing: Editing, start: number, end: number, column: number): void {
  const comments = editing.commentLines(start, end, column);
  editing.replace(start, end, comments === "" ? "" : `${comments.trimStart()}\n${" ".repeat(column)}`);
}

/** Adds lines below the last part before an index that stays, or above the first one. */
function addPart(
  editing: Editing,
  parts: readonly BlockPart[],
  isGone: (index: number) => boolean,
  after: number,
  lines: string,
  column: number,
): void {
  let index = after;
  while (index >= 0 && isGone(index)) index--;
  const part = parts[index];
  if (!part) {
    const first = parts.find((_part, at) => !isGone(at));
    editing.insert(first?.start ?? 0, `${lines.slice(column)}\n${" ".repeat(column)}`);
  } else editing.addLines(part.end, lines);
}
