import { isAlias, isMap, isScalar, isSeq, type ParsedNode } from "yaml";
import { type Fields, isFields, type Json, own, sameJson } from "../../json.ts";
import { type FieldSchema, memberOf } from "../../schema/field-schema.ts";
import { type Editing, type Slot } from "./editing.ts";
import { changeBlockItems, changeBlockMembers } from "./block.ts";
import { changeFlowParts } from "./flow.ts";
import { alignLists, type ListStep } from "./lists.ts";
import { inlineText, replaceSlot } from "./replace.ts";
import { refuseRepeated } from "./shared.ts";
import { isEmpty, type Member, pairEnd, contentEnd } from "./text.ts";

/**
 * Changes the value in a slot to another one. What is equal in both stays as it is, byte for byte.
 *
 * @param schema of the value: it says which elements of a list are the same
 * @throws SharedValueError
 */
export function editSlot(
  editing: Editing,
  slot: Slot,
  before: Json,
  after: Json,
  schema: FieldSchema | undefined,
): void {
  if (sameJson(before, after)) return;
  const { node } = slot;
  if (node && !isAlias(node)) {
    if (isMap(node) && isFields(before) && isFields(after) && canStay(before, after)) {
      refuseRepeated(node, editing.targets);
      editMap(editing, slot, node.items, before, after, schema);
      return;
    }
    if (isSeq(node) && Array.isArray(before) && Array.isArray(after) && canStay(before, after)) {
      refuseRepeated(node, editing.targets);
      editList(editing, slot, node.items as ParsedNode[], before, after, schema);
      return;
    }
  }
  replaceSlot(editing, slot, after);
}

/** Whether a collection can be changed part by part: one that becomes empty, or that was, is written anew. */
function canStay(before: object, after: object): boolean {
  return Object.keys(before).length > 0 && Object.keys(after).length > 0;
}

function editMap(
  editing: Editing,
  slot: Slot,
  members: Member[],
  before: Fields,
  after: Fields,
  schema: FieldSchema | undefined,
): void {
  const keyOf = ({ key }: Member) => (isScalar(key) && typeof key.value === "string" ? key.value : "");
  const removed = members.filter((member) => !Object.hasOwn(after, keyOf(member)));
  const added = Object.entries(after).filter(([key]) => !Object.hasOwn(before, key));
  const map = slot.node;
  const isFlow = slot.isFlow || (isMap(map) && map.flow === true);
  const column = isFlow ? slot.column : editing.columnOf(members[0]?.key.range[0] ?? 0);
  for (const member of members) {
    const key = keyOf(member);
    if (!Object.hasOwn(after, key)) continue;
    const inside: Slot = {
      node: member.value && isEmpty(member.value) ? null : member.value,
      after: afterAnchor(editing, afterColon(editing, member), member.value),
      column,
      isFlow,
    };
    editSlot(
      editing,
      inside,
      own(before, key) ?? null,
      own(after, key) ?? null,
      schema && memberOf(schema, key),
    );
  }
  if (isFlow)
    changeFlowParts(editing, slot, {
      parts: members.map((member) => ({ start: member.key.range[0], end: endOf(editing, member) })),
      nodes: members.map(({ value }) => value),
      removed: members.flatMap((member, index) => (removed.includes(member) ? [index] : [])),
      added: added.map(([key, value]) => ({
        after: members.length - 1,
        text: inlineText({ [key]: value }).slice(2, -2),
      })),
    });
  else changeBlockMembers(editing, members, removed, Object.fromEntries(added), column);
}

/** Where a member ends, also one without a value. */
function endOf(editing: Editing, member: Member): number {
  return Math.max(
    pairEnd(editing.text, member),
    member.value && isEmpty(member.value) ? afterColon(editing, member) : 0,
  );
}

/** Where the value of a member may begin. */
function afterColon({ text }: Editing, { key, value }: Member): number {
  const colon = text.indexOf(":", key.range[1]);
  const limit = value && !isEmpty(value) ? value.range[0] : Infinity;
  return colon === -1 || colon > limit ? key.range[1] : colon + 1;
}

/** Behind the anchor of a value, if it has one. */
function afterAnchor({ text }: Editing, offset: number, node: ParsedNode | null): number {
  const anchor = node && !isAlias(node) ? node.anchor : undefined;
  return anchor === undefined ? offset : text.indexOf(`&${anchor}`, offset) + anchor.length + 1;
}

function editList(
  editing: Editing,
  slot: Slot,
  items: ParsedNode[],
  before: Json[],
  after: Json[],
  schema: FieldSchema | undefined,
): void {
  const list = slot.node;
  const isFlow = slot.isFlow || (isSeq(list) && list.flow === true);
  const steps = alignLists(before, after, schema ?? {});
  const column = isFlow ? slot.column : editing.columnOf(list?.range[0] ?? 0);
  const dashes = isFlow ? [] : dashesOf(editing, list?.range[0] ?? 0, items, column);
  for (const step of steps) {
    if (step.do !== "keep") continue;
    const node = items[step.index] ?? null;
    const inside: Slot = {
      node: node && isEmpty(node) ? null : node,
      after: isFlow ? (node?.range[0] ?? 0) : afterAnchor(editing, (dashes[step.index] ?? 0) + 1, node),
      column,
      isFlow,
    };
    editSlot(editing, inside, before[step.index] ?? null, step.value, schema?.items);
  }
  const removed = steps.flatMap((step) => (step.do === "remove" ? [step.index] : []));
  const added = steps.filter((step): step is ListStep & { do: "add" } => step.do === "add");
  if (isFlow)
    changeFlowParts(editing, slot, {
      parts: items.map((item) => ({ start: item.range[0], end: contentEnd(editing.text, item) })),
      nodes: items,
      removed,
      added: added.map(({ after: index, value }) => ({ after: index, text: inlineText(value) })),
    });
  else changeBlockItems(editing, { items, dashes, column }, removed, added);
}

/** Where the dashes of a block list stand: all in one column. */
function dashesOf(editing: Editing, first: number, items: readonly ParsedNode[], column: number): number[] {
  const { text } = editing;
  return items.map((item, index) => {
    if (index === 0) return first;
    let at = item.range[0];
    do at = text.lastIndexOf("-", at - 1);
    while (at > 0 && (editing.columnOf(at) !== column || /[^ ]/.test(text.slice(at - column, at))));
    return at;
  });
}
