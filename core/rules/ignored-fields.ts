import { type Fields, isFields, type Json, own } from "../values/json.ts";
import { type FieldSchema, memberOf } from "../model/schema/field-schema.ts";
import type { Path } from "../source/mistake.ts";

/** In a path: every member, or every element. */
export const everything = "*";

/** Declared fields without the ignored ones, which keep their live values. In a list, an element does only if it has a key. */
export function withoutIgnored(schema: FieldSchema, declared: Fields, ignored: readonly Path[]): Fields {
  return ignored.reduce<Fields>((fields, path) => {
    const left = without(schema, fields, path);
    return isFields(left) ? left : {};
  }, declared);
}

/** A value without the member at a path; undefined: nothing is left. */
function without(schema: FieldSchema, value: Json, path: Path): Json | undefined {
  if (path.length === 0) return undefined;
  if (Array.isArray(value)) return withoutInElements(schema, value, path);
  return isFields(value) ? withoutMember(schema, value, path) : value;
}

function withoutMember(schema: FieldSchema, fields: Fields, [member = "", ...inside]: Path): Fields {
  const isChosen = (name: string) => member === everything || name === member;
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => {
      if (!isChosen(name)) return [[name, value]];
      const left = without(memberOf(schema, name) ?? {}, value, inside);
      return left === undefined ? [] : [[name, left]];
    }),
  );
}

function withoutInElements(schema: FieldSchema, elements: readonly Json[], path: Path): Json | undefined {
  const [first] = path;
  const isIndex = typeof first === "number";
  const inside = isIndex || first === everything ? path.slice(1) : path;
  const { items, set = [] } = schema;
  const isKeyed = items?.properties !== undefined && set.length > 0;
  if (!isKeyed || inside[0] === undefined || set.includes(String(inside[0]))) return undefined;
  return elements.map((element, index) =>
    isIndex && index !== first ? element : (without(items, element, inside) ?? element),
  );
}

/** The path of a text in fields, such as `schedule.cronjob.timezone`: free keys, such as domains, may have dots. */
export function pathAmong(fields: Fields, text: string): Path {
  return pathOf(fields, text.split("."));
}

function pathOf(value: Json | undefined, parts: readonly string[]): string[] {
  if (parts.length === 0) return [];
  if (Array.isArray(value)) return pathOf(value[0], parts);
  const fields = isFields(value) ? value : {};
  const length = memberLength(fields, parts);
  const member = parts.slice(0, length).join(".");
  return [member, ...pathOf(own(fields, member), parts.slice(length))];
}

/** The number of parts of a path in its first member. */
function memberLength(fields: Fields, parts: readonly string[]): number {
  for (let length = parts.length; length > 1; length -= 1)
    if (own(fields, parts.slice(0, length).join(".")) !== undefined) return length;
  return 1;
}

/** Whether ignored paths name a member that is not a field, such as the name. */
export function ignores(ignored: readonly Path[], member: string): boolean {
  return ignored.some(
    ([first, ...inside]) => inside.length === 0 && (first === member || first === everything),
  );
}
