import { CST, isAlias, isMap, isScalar, isSeq, type ParsedNode, type YAMLMap } from "yaml";
import { type Fields, isFields, type Json, own, sameJson, stableJson } from "../../../values/json.ts";
import { type FieldSchema, memberOf } from "../../../model/schema/field-schema.ts";
import { readTokens } from "../../../source/stream.ts";
import { valueOf } from "../../../source/value.ts";
import type { Variables } from "../../../source/variables.ts";
import { writeYaml } from "../../../source/write.ts";
import { type CollectionChange, changeCollection } from "./collection.ts";
import { refuseRepeated, refuseShared, type Targets } from "./shared-values.ts";
import { type Collection, type Item, isBlock, isCollection, partsOf, Style, settleLines } from "./tokens.ts";
import { inlineText, replaceValue, type Slot } from "./value.ts";
import { diffArrays } from "diff";
import { elementKey } from "../../../model/schema/elements.ts";

/** A document of a YAML text, and its new value. */
export interface DocumentEdit {
  /** The number of the document, as `readYaml` counts. */
  index: number;
  schema: FieldSchema;
  before: Fields;
  after: Fields;
}

/** The text with new values; equal values, comments, order and style stay. @throws SharedValueError for a value used elsewhere */
export function editText(text: string, edits: readonly DocumentEdit[], variables: Variables): string {
  const { tokens, documents } = readTokens(text);
  // The parser drops the line break between a comment below an empty value and `---`.
  const dropped = tokens.map((token, index) =>
    text.slice(token.offset + CST.stringify(token).length, tokens[index + 1]?.offset),
  );
  for (const { index, schema, before, after } of edits) {
    const root = documents[index]?.contents;
    const token = root?.srcToken;
    if (!isMap(root) || !isCollection(token)) throw new TypeError(`document ${index} is not a mapping`);
    if (isBlock(token)) settleLines(token);
    const { targets } = valueOf(root, variables);
    new Editor(new Style(text), targets).editMap(root, token, before, after, schema, token.indent);
  }
  return tokens.map((token, index) => CST.stringify(token) + (dropped[index] ?? "")).join("");
}

class Editor {
  readonly #style: Style;
  readonly #targets: Targets;

  constructor(style: Style, targets: Targets) {
    this.#style = style;
    this.#targets = targets;
  }

  /** Changes the members of a mapping. @param column of the owner of the mapping */
  editMap(
    map: YAMLMap.Parsed,
    token: Collection,
    before: Fields,
    after: Fields,
    schema: FieldSchema | undefined,
    column: number,
  ): void {
    refuseRepeated(map, this.#targets);
    const parts = partsOf(token);
    const removed = new Set<Item>();
    const inside = place(token, column);
    for (const [index, { key, value }] of map.items.entries()) {
      const item = parts[index];
      if (!item) throw new TypeError("a member has no tokens");
      const name = isScalar(key) && typeof key.value === "string" ? key.value : "";
      if (Object.hasOwn(after, name)) {
        const slot: Slot = { ...inside, item, lead: "sep", node: written(value) };
        this.#edit(
          slot,
          own(before, name) ?? null,
          own(after, name) ?? null,
          schema && memberOf(schema, name),
        );
      } else {
        if (value) refuseShared(value, this.#targets);
        removed.add(item);
      }
    }
    const added = Object.entries(after).filter(([name]) => !Object.hasOwn(before, name));
    this.#change(
      token,
      removed,
      added.map(([name, value]) => ({ after: parts.at(-1), value: { [name]: value } })),
      column,
    );
  }

  #editList(
    nodes: readonly ParsedNode[],
    token: Collection,
    before: readonly Json[],
    after: readonly Json[],
    schema: FieldSchema | undefined,
    column: number,
  ): void {
    const parts = partsOf(token);
    const removed = new Set<Item>();
    const added: { after: Item | undefined; value: Json }[] = [];
    const inside = place(token, column);
    for (const step of alignLists(before, after, schema ?? {})) {
      if (step.do === "add") {
        added.push({ after: parts[step.after], value: step.value });
        continue;
      }
      const [item, node] = [parts[step.index], nodes[step.index]];
      if (!item || !node) throw new TypeError("an element has no tokens");
      if (step.do === "keep") {
        const slot: Slot = { ...inside, item, lead: "start", node: written(node) };
        this.#edit(slot, before[step.index] ?? null, step.value, schema?.items);
      } else {
        refuseShared(node, this.#targets);
        removed.add(item);
      }
    }
    this.#change(token, removed, added, column);
  }

  /** @param schema of the value: it tells which elements of a list correspond */
  #edit(slot: Slot, before: Json, after: Json, schema: FieldSchema | undefined): void {
    if (sameJson(before, after)) return;
    const { node, item, column } = slot;
    const { value: token } = item;
    if (node && !isAlias(node) && isCollection(token) && !(item.key && slot.lead === "start")) {
      if (isMap(node) && isFields(before) && isFields(after) && canStay(before, after))
        return this.editMap(node, token, before, after, schema, column);
      if (isSeq(node) && Array.isArray(before) && Array.isArray(after) && canStay(before, after)) {
        refuseRepeated(node, this.#targets);
        return this.#editList(node.items as ParsedNode[], token, before, after, schema, column);
      }
    }
    if (node) refuseShared(node, this.#targets);
    replaceValue(slot, after, this.#style);
  }

  #change(
    token: Collection,
    removed: ReadonlySet<Item>,
    added: readonly { after: Item | undefined; value: Json }[],
    column: number,
  ): void {
    const { indentSeq } = this.#style;
    const isMember =
      token.type === "block-map" || (token.type === "flow-collection" && token.start.source === "{");
    const additions = added.map(({ after, value }): CollectionChange["added"][number] => {
      const text = isBlock(token)
        ? writeYaml(isMember ? value : [value], { indentSeq }).trimEnd()
        : isMember
          ? inlineText(value).slice(2, -2)
          : inlineText(value);
      return { after, text };
    });
    changeCollection(token, { removed, added: additions }, column, this.#style);
  }
}

function place(token: Collection, column: number): Pick<Slot, "column" | "isFlow"> {
  return isBlock(token) ? { column: token.indent, isFlow: false } : { column, isFlow: true };
}

/** The node, unless it has no characters: `key:` alone. */
function written(node: ParsedNode | null): ParsedNode | null {
  return node && isScalar(node) && node.range[0] === node.range[1] ? null : node;
}

/** Whether a collection can be changed part by part: one that becomes empty, or was empty, is written again. */
function canStay(before: object, after: object): boolean {
  return Object.keys(before).length > 0 && Object.keys(after).length > 0;
}

type ListStep =
  /** The element stays, perhaps with another value. */
  | { do: "keep"; index: number; value: Json }
  | { do: "remove"; index: number }
  /** A new element after that one; -1: before all. */
  | { do: "add"; after: number; value: Json };

/** The steps from one list to another. Elements of a set correspond by key; others if they are equal. */
function alignLists(before: readonly Json[], after: readonly Json[], schema: FieldSchema): ListStep[] {
  const keyOf = (element: Json) => (schema.set ? elementKey(schema, element) : stableJson(element));
  const steps: ListStep[] = [];
  let index = 0;
  let next = 0;
  let last = -1;
  let removed: number[] = [];
  const keep = (old: number) => {
    steps.push({ do: "keep", index: old, value: after[next++] ?? null });
    last = old;
  };
  const drop = () => {
    for (const old of removed) steps.push({ do: "remove", index: old });
    removed = [];
  };
  for (const chunk of diffArrays(before.map(keyOf), after.map(keyOf))) {
    if (chunk.removed) for (let count = 0; count < chunk.count; count++) removed.push(index++);
    else if (chunk.added)
      for (let count = 0; count < chunk.count; count++) {
        // A new element replaces an old one, so that the comments there stay with it.
        const old = removed.shift();
        if (old === undefined) steps.push({ do: "add", after: last, value: after[next++] ?? null });
        else keep(old);
      }
    else {
      drop();
      for (let count = 0; count < chunk.count; count++) keep(index++);
    }
  }
  drop();
  return steps;
}
