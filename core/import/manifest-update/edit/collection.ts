import { CST } from "yaml";
import {
  type Collection,
  commentsAmong,
  indented,
  isBlock,
  type Item,
  partsOf,
  type Style,
} from "./tokens.ts";

/** Removed and added parts of a collection. At least one part stays or is added. */
export interface CollectionChange {
  removed: ReadonlySet<Item>;
  added: readonly {
    /** The part before it; undefined: it is the first. */
    after: Item | undefined;
    /** As written in the collection: lines from the first column, or a text on one line inside `{ }` and `[ ]`. */
    text: string;
  }[];
}

/** Removes and adds parts. Comments of removed ones stay. @param column of the owner of a flow collection */
export function changeCollection(
  collection: Collection,
  change: CollectionChange,
  column: number,
  style: Style,
): void {
  if (change.removed.size === 0 && change.added.length === 0) return;
  if (isBlock(collection)) changeBlock(collection, change, style);
  else changeFlow(collection, change, column + 2, style);
}

/** The items after a change: remaining ones, added ones, and the comments of removed ones. */
function changed(
  { items }: Collection,
  { removed, added }: CollectionChange,
  made: { addition: (text: string) => Item; comment: (text: string) => CST.SourceToken },
): Item[] {
  const addedAfter = (item: Item | undefined) =>
    added.filter(({ after }) => after === item).map(({ text }) => made.addition(text));
  const stays = (item: Item): Item[] => {
    if (!removed.has(item)) return [item];
    const comments = commentsAmong(item);
    return comments.length === 0 ? [] : [{ start: comments.map(made.comment) }];
  };
  return [
    ...addedAfter(undefined),
    ...(items as Item[]).flatMap((item) => [...stays(item), ...addedAfter(item)]),
  ];
}

function changeBlock(
  collection: CST.BlockMap | CST.BlockSequence,
  change: CollectionChange,
  style: Style,
): void {
  const { indent: column } = collection;
  const [oldFirst] = collection.items;
  // The start of a line: that of the first item is not a token of the collection.
  const margin = style.token(" ".repeat(column));
  const items = changed(collection, change, {
    addition: (text) => ({ start: [margin, style.token(`${indented(text, column).slice(column)}\n`)] }),
    comment: (text) => style.token(`${margin.source}${text}\n`),
  });
  const [first] = items;
  if (first && first !== oldFirst) {
    first.start = withoutMargin(first.start, column);
    if (oldFirst && items.includes(oldFirst)) oldFirst.start.unshift(margin);
  }
  collection.items = items.flatMap((item, index) =>
    // The last line of a text may lack its end.
    index === items.length - 1 || CST.stringify(item).endsWith("\n")
      ? [item]
      : [item, { start: [style.token("\n")] }],
  ) as typeof collection.items;
}

function withoutMargin(start: readonly CST.SourceToken[], column: number): CST.SourceToken[] {
  const [first, ...others] = start;
  if (!first) return [];
  if (first.type === "newline") return withoutMargin(others, column);
  if (first.type !== "space") return [...start];
  const source = first.source.slice(column);
  return source === "" ? others : [{ ...first, source }, ...others];
}

function changeFlow(
  collection: CST.FlowCollection,
  change: CollectionChange,
  column: number,
  style: Style,
): void {
  const [oldFirst] = collection.items;
  const margin = " ".repeat(column);
  collection.items = collection.items.flatMap((item) => [item, ...spaceBehind(item)]);
  collection.items = changed(collection, change, {
    addition: (text) => ({ start: [], value: { type: "scalar", offset: -1, indent: -1, source: text } }),
    comment: (text) => style.token(` ${text}\n${margin}`),
  });
  const [first, ...others] = partsOf(collection);
  if (first && first !== oldFirst) first.start = withoutComma(first.start);
  for (const [index, { start }] of others.entries()) {
    if (start.some(({ type }) => type === "comma")) continue;
    const before = [first, ...others][index];
    const comma = before && CST.stringify(before).endsWith("\n") ? `${margin},` : ",";
    start.unshift(
      style.token(start[0]?.type === "newline" || start[0]?.type === "space" ? comma : `${comma} `),
    );
  }
}

/** Removes the space behind a value, so that a comma can follow it. */
function spaceBehind({ value }: Item): Item[] {
  if (
    !value ||
    !("end" in value) ||
    !value.end ||
    value.end.some(({ type }) => type !== "space" && type !== "newline")
  )
    return [];
  return [{ start: value.end.splice(0) }];
}

function withoutComma(start: readonly CST.SourceToken[]): CST.SourceToken[] {
  const rest = start.filter(({ type }) => type !== "comma");
  return rest[0]?.type === "space" && rest[1]?.type !== "comment" ? rest.slice(1) : rest;
}
