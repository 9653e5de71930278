import type { ParsedNode } from "yaml";
import type { Editing, Slot } from "./editing.ts";
import { refuseShared } from "./shared.ts";

/** What becomes of the members of a `{ }` or the elements of a `[ ]`. */
interface FlowChange {
  parts: readonly { start: number; end: number }[];
  /** The values in the parts. */
  nodes: readonly (ParsedNode | null)[];
  /** Indices of parts. At least one part stays, or one is added. */
  removed: readonly number[];
  /** New parts, each behind the part of that index; -1: before all. */
  added: readonly { after: number; text: string }[];
}

/** Removes and adds parts of a flow collection. @throws SharedValueError */
export function changeFlowParts(editing: Editing, slot: Slot, change: FlowChange): void {
  const { parts, nodes, removed, added } = change;
  for (const index of removed) {
    const node = nodes[index];
    if (node) refuseShared(node, editing.targets);
  }
  const texts = added.map(({ text }) => text);
  const [first] = parts;
  const last = parts.at(-1);
  if (!first || !last || !slot.node) return;
  if (removed.length === parts.length) {
    editing.replace(first.start, last.end, texts.join(", "));
    return keepComments(editing, first.start, last.end, slot);
  }
  const isGone = (index: number) => removed.includes(index);
  for (let index = 0; index < parts.length; index++) {
    if (!isGone(index)) continue;
    const begin = index;
    while (isGone(index + 1)) index++;
    const part = parts[begin] ?? first;
    const next = parts[index + 1];
    const before = parts[begin - 1];
    const [start, end] = next
      ? [part.start, next.start]
      : [before?.end ?? part.start, (parts[index] ?? part).end];
    editing.replace(start, end, "");
    keepComments(editing, start, end, slot);
  }
  for (const { after, text } of added) {
    const kept = lastKept(after, isGone);
    const part = parts[kept];
    if (part) editing.insert(part.end, `, ${text}`);
    else editing.insert(parts.find((_part, index) => !isGone(index))?.start ?? first.start, `${text}, `);
  }
}

function lastKept(index: number, isGone: (index: number) => boolean): number {
  let at = index;
  while (at >= 0 && isGone(at)) at--;
  return at;
}

/** Comments of what is removed stand on lines of their own above the next line. */
function keepComments(editing: Editing, start: number, end: number, { column }: Slot): void {
  const lines = editing.commentLines(start, end, column + 2);
  if (lines !== "") editing.insert(end, `${lines}\n${" ".repeat(column + 2)}`);
}
