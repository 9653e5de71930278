import { type Fields, isFields, type Json, own } from "../../values/json.ts";
import { elementLabel } from "../schema/elements.ts";
import { type FieldSchema, schemaAt, withUnit } from "../schema/field-schema.ts";
import { type FieldChange, formatPath } from "./compare.ts";

/** A permanent loss in a field. */
export interface FieldLoss {
  /** `data`: all of it. `size`: a part. `version`: a lower one may not read it. `value`: a secret. `overwritten`: by another field. */
  sort: "data" | "size" | "version" | "value" | "overwritten";
  /** Its noun: `volume`, `data`, `secret`. */
  what: string;
  /** Empty: the resource has only one. */
  key: string;
  path: string[];
  /** Its size, or the change of its size: `20 GB`, `50 GB -> 10 GB`. */
  extent?: string;
}

/** All data and unreadable values in a value, which are lost with it. */
export function lossesIn(
  schema: FieldSchema,
  value: Fields | Json | undefined,
  path: string[] = [],
): FieldLoss[] {
  const { loses, properties, items = {} } = schema;
  // Parts with keys are lost one by one, as the server lists them.
  if (value === undefined || value === null || (schema.part && !properties)) return [];
  if (loses && loses.when !== "lower") return [...dataIn(schema, value, path)];
  if (schema.secret) return [{ sort: "value", what: "secret", key: formatPath(path), path }];
  if (Array.isArray(value))
    return value.flatMap((element) =>
      lossesIn(items, element, [...path, `[${elementLabel(schema, element)}]`]),
    );
  if (!isFields(value) || !properties) return [];
  const isHidden = Object.values(properties).some(
    ({ hiddenWhen }) => hiddenWhen !== undefined && own(value, hiddenWhen) === true,
  );
  return [
    ...(isHidden ? [{ sort: "value" as const, what: "secret", key: formatPath(path), path }] : []),
    ...Object.entries(properties).flatMap(([member, inner]) =>
      lossesIn(inner, own(value, member), [...path, member]),
    ),
  ];
}

/** The losses of changes. An element of a set under another key is a new one, without data. */
export function lostBy(schema: FieldSchema, changes: readonly FieldChange[]): FieldLoss[] {
  return changes.flatMap(({ path, before, after }): FieldLoss[] => {
    const at = schemaAt(schema, path);
    if (!at) return [];
    const [from, to] = [before ?? at.default, after ?? at.default];
    if (at.loses && at.loses.when !== "gone") {
      const isLess =
        at.loses.when === "smaller" ? isSmaller(from, to) : from !== undefined && !isSameOrHigher(from, to);
      const sort = at.loses.when === "smaller" ? "size" : "version";
      const extent = `${shown(at, from)} -> ${shown(at, to)}`;
      return isLess ? [{ sort, what: at.loses.what, key: keyIn(path), path, extent }] : [];
    }
    if (isShown(schema, path, before, after))
      return [{ sort: "overwritten", what: "secret", key: formatPath(path.slice(0, -1)), path }];
    if (before === undefined || after !== undefined) return [];
    const label = path.at(-1) ?? "";
    const set = label.startsWith("[") ? schemaAt(schema, path.slice(0, -1)) : undefined;
    if (set?.loses) return dataIn(set, [before], path.slice(0, -1));
    const isReplaced = at.secret && hasSuccessor(schema, path, changes);
    return lossesIn(at, before, path).map((loss) => (isReplaced ? { ...loss, sort: "overwritten" } : loss));
  });
}

/** Whether a change reveals a hidden value, which then is another one. */
function isShown(
  schema: FieldSchema,
  path: readonly string[],
  before: Json | undefined,
  after: Json | undefined,
): boolean {
  const { properties = {} } = schemaAt(schema, path.slice(0, -1)) ?? {};
  const hides = Object.values(properties).some(({ hiddenWhen }) => hiddenWhen === path.at(-1));
  return hides && before === true && after !== true;
}

/** Whether the same changes set a member that excludes the one at a path, such as a role in place of a key. */
function hasSuccessor(
  schema: FieldSchema,
  path: readonly string[],
  changes: readonly FieldChange[],
): boolean {
  const above = path.slice(0, -1);
  const { alternatives = [] } = schemaAt(schema, above) ?? {};
  const memberIn = (at: readonly string[]) => at[above.length] ?? "";
  const others = alternatives.filter((group) => !group.includes(memberIn(path)));
  return changes.some(
    ({ path: other, before, after }) =>
      before === undefined &&
      after !== undefined &&
      above.every((member, index) => other[index] === member) &&
      others.some((group) => group.includes(memberIn(other))),
  );
}

function dataIn(schema: FieldSchema, value: Fields | Json, path: string[]): FieldLoss[] {
  const { loses, items = {} } = schema;
  if (!loses) return [];
  const { what } = loses;
  if (!schema.set || !Array.isArray(value)) {
    const extent = typeof value === "number" ? { extent: shown(schema, value) } : {};
    return [{ sort: "data", what, key: "", path, ...extent }];
  }
  return value.map((element): FieldLoss => {
    const label = elementLabel(schema, element);
    const size = Object.entries(items.properties ?? {}).find(([, inner]) => inner.loses?.when === "smaller");
    const amount = size && isFields(element) ? own(element, size[0]) : undefined;
    return {
      sort: "data",
      what,
      key: label,
      path: [...path, `[${label}]`],
      ...(size && amount !== undefined && { extent: shown(size[1], amount) }),
    };
  });
}

function isSmaller(before: Json | undefined, after: Json | undefined): boolean {
  return typeof before === "number" && (typeof after !== "number" || after < before);
}

/** Whether a version such as `16.2` is equal or higher. Versions without numbers may be anything. */
function isSameOrHigher(before: Json, after: Json | undefined): boolean {
  const [left, right] = [before, after].map((version) => String(version ?? "").match(/\d+/g) ?? []);
  if (!left || !right || left.length * right.length === 0) return false;
  for (const [index, number] of left.entries()) {
    const other = right[index];
    if (other === undefined || Number(other) > Number(number)) return true;
    if (Number(other) < Number(number)) return false;
  }
  return true;
}

function shown({ unit }: FieldSchema, value: Json | undefined): string {
  if (value === undefined) return "(none)";
  return typeof value === "number" && unit !== undefined ? withUnit(value, unit) : String(value);
}

/** The key of the element on a path: `/data` of `storage[/data].size`. */
function keyIn(path: readonly string[]): string {
  const label = path.findLast((member) => member.startsWith("["));
  return label === undefined ? "" : label.slice(1, -1);
}
