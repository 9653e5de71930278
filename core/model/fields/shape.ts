import { sharesAlternative } from "./compare.ts";
import { isNamed } from "./references.ts";
import { declaredValue } from "./declared-fields.ts";
import { elementKey, pairElements } from "../schema/elements.ts";
import { type Fields, isFields, type Json, mapFields, own, presentIn } from "../../values/json.ts";
import { type FieldSchema, hasMembers, memberOf } from "../schema/field-schema.ts";

/** The declared members of a value without their values, which may be secret; references and keys of elements stay. */
export function shapeOf(schema: FieldSchema, declared: Json): Json {
  if (schema.reference !== undefined) return declared;
  const { items } = schema;
  if (hasMembers(schema) && isFields(declared)) {
    return mapFields(declared, (value, member) => shapeOf(memberOf(schema, member) ?? {}, value));
  }
  if (items && Array.isArray(declared) && (items.properties || items.reference !== undefined)) {
    return declared.map((element) => {
      const shape = shapeOf(items, element);
      return isFields(element) && isFields(shape)
        ? { ...shape, ...presentIn(element, schema.set ?? []) }
        : shape;
    });
  }
  return true;
}

/** The shape of an import: false for values without a known reset, so that a program that omits them leaves them alone. */
export function foundShape(schema: FieldSchema, shape: Json): Json {
  if (!isFields(shape)) return shape;
  return mapFields(shape, (inside, member) => {
    const inner = memberOf(schema, member) ?? {};
    if (isFields(inside)) return inner.part ? inside : foundShape(inner, inside);
    return inner.resettable === false && inner.default === undefined && !inner.secret ? false : inside;
  });
}

/** The inputs for a live value: the members of the shape, and new elements. References are `{id, name?}`. */
export function declaredForm(schema: FieldSchema, live: Json | undefined, shape: Json): Json | undefined {
  const value = live ?? schema.default;
  if (value === undefined || value === null) return undefined;
  const { items } = schema;
  if (schema.reference !== undefined && isFields(value) && isNamed(value, shape)) return shape;
  if (hasMembers(schema) && isFields(value) && isFields(shape) && sharesAlternative(schema, value, shape))
    return mapFields(shape, (inside, member) =>
      declaredForm(memberOf(schema, member) ?? {}, own(value, member), inside),
    );
  // The declared elements in the order of the program, then new live ones.
  if (items && Array.isArray(value) && Array.isArray(shape))
    return pair(schema, items, value, shape).flatMap(
      ({ element, shape: its }) => declaredForm(items, element, its) ?? [],
    );
  return declaredValue(schema, value, "whole");
}

function pair(
  schema: FieldSchema,
  items: FieldSchema,
  live: Json[],
  shapes: Json[],
): { element: Json; shape: Json }[] {
  if (items.reference !== undefined) {
    const declared = shapes.flatMap((shape) =>
      live
        .filter((element) => isFields(element) && isNamed(element, shape))
        .map((element) => ({ element, shape })),
    );
    const others = live.filter((element) => declared.every((known) => known.element !== element));
    return [...declared, ...others.map((element) => ({ element, shape: true }))];
  }
  if (!schema.set) return live.map((element, index) => ({ element, shape: shapes[index] ?? true }));
  return pairElements(schema, live, shapes).flatMap(({ left, right }) =>
    left === undefined ? [] : [{ element: left, shape: right ?? true }],
  );
}

/** Declared fields, with a null for every member of an earlier shape that is missing now, unless it is imported. */
export function withResets(schema: FieldSchema, declared: Fields, shape: Json): Fields {
  if (!isFields(shape)) return declared;
  const result: Fields = { ...declared };
  for (const [member, before] of Object.entries(shape)) {
    const inner = memberOf(schema, member) ?? {};
    const now = own(declared, member);
    if (now === undefined && inner.part && hasMembers(inner)) result[member] = withResets(inner, {}, before);
    else if (now === undefined && before !== false) {
      // Required and immutable members keep their values.
      if (!schema.needs?.includes(member) && inner.immutable === undefined) result[member] = null;
    } else if (now !== undefined) result[member] = withResetsInside(inner, now, before);
  }
  return result;
}

function withResetsInside(schema: FieldSchema, now: Json, before: Json): Json {
  if (hasMembers(schema) && isFields(now)) return withResets(schema, now, before);
  const { items } = schema;
  if (!schema.set || !items?.properties || !Array.isArray(now) || !Array.isArray(before)) return now;
  return now.map((element) => {
    const earlier = before.find((shape) => elementKey(schema, shape) === elementKey(schema, element));
    return isFields(element) && earlier !== undefined ? withResets(items, element, earlier) : element;
  });
}

export function hasMember(shape: Json, [member, ...inside]: readonly string[]): boolean {
  if (member === undefined) return true;
  if (member.startsWith("["))
    return Array.isArray(shape) && shape.some((element) => hasMember(element, inside));
  const value = isFields(shape) ? own(shape, member) : undefined;
  return value !== undefined && (value === true ? inside.length === 0 : hasMember(value, inside));
}
