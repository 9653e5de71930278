import { type Fields, isFields, type Json, own, valueAt } from "../../values/json.ts";
import { elementLabel, pairElements } from "../schema/elements.ts";
import { type FieldSchema, propertiesOf } from "../schema/field-schema.ts";
import { compare } from "./compare.ts";
import { fromResponse } from "./wire.ts";

/** A member of a live resource that no schema knows, as a later version of the API may have it. */
export interface UnknownMember {
  path: string[];
  value: Json;
  /** Its place in the wanted fields, and so in a request; absent: its object is not among them, so it is lost. */
  place?: Place;
}

type Place = readonly (string | number)[];

/** An object or a list in two states: on the server, and wanted. */
interface Inside {
  schema: FieldSchema;
  desired: Json | undefined;
  path: string[];
  place: Place;
}

/** Members of nested objects in answers that no request has. */
const factsInside = new Set(["id", "created_at", "updated_at", "service_id", "organization_id"]);

/** The unknown members of a resource at every depth. An element of a list has a key, or its place if it is unchanged. */
export function unknownIn(schema: FieldSchema, shown: Fields, desired: Fields): UnknownMember[] {
  return inObject(shown, { schema, desired, path: [], place: [] });
}

function inObject(shown: Fields, { schema, desired, path, place }: Inside): UnknownMember[] {
  const { properties = {}, facts = [] } = schema;
  const known = namesOf(schema);
  return Object.entries(shown).flatMap(([member, value]): UnknownMember[] => {
    const memberPath = [...path, member];
    const inner = own(properties, member);
    if (value === null || (!inner && (known.has(member) || facts.includes(member)))) return [];
    if (inner) {
      const its = isFields(desired) ? own(desired, member) : undefined;
      return inValue(value, { schema: inner, desired: its, path: memberPath, place: [...place, member] });
    }
    if (path.length > 0 && factsInside.has(member)) return [];
    return [{ path: memberPath, value, ...(isFields(desired) && { place: [...place, member] }) }];
  });
}

function inValue(shown: Json, inside: Inside): UnknownMember[] {
  const { properties, items, opaque, part, secret, reference } = inside.schema;
  if (opaque || part || secret || reference !== undefined) return [];
  if (properties && isFields(shown)) return inObject(shown, inside);
  return items?.properties && Array.isArray(shown) ? inElements(shown, items, inside) : [];
}

function inElements(
  shown: Json[],
  items: FieldSchema,
  { schema, desired, path, place }: Inside,
): UnknownMember[] {
  const list = Array.isArray(desired) ? desired : [];
  const present = shown.map((element) => (isFields(element) ? fromResponse(items, element) : element));
  const pairs = schema.set ? pairElements(schema, present, list) : [];
  const indexOf = (element: Json, index: number): number => {
    if (schema.set) return list.indexOf(pairs.find(({ left }) => left === element)?.right ?? null);
    const same = list[index];
    return isFields(element) && isFields(same) && compare(items, element, same).length === 0 ? index : -1;
  };
  return shown.flatMap((element, index) => {
    const its = present[index] ?? null;
    if (!isFields(element)) return [];
    const at = indexOf(its, index);
    return inObject(element, {
      schema: items,
      desired: list[at],
      path: [...path, `[${elementLabel(schema, its)}]`],
      place: [...place, at],
    });
  });
}

/** The members of answers that the properties of a schema stand for, beside their own names. */
function namesOf(schema: FieldSchema): ReadonlySet<string> {
  return new Set(
    propertiesOf(schema).flatMap(([member, { reference, items, shownBy, hiddenWhen }]) => [
      ...((reference ?? items?.reference) === undefined ? [] : [`${member}_id`, `${member}_name`]),
      ...(shownBy === undefined ? [] : [shownBy]),
      ...(hiddenWhen === undefined ? [] : [hiddenWhen]),
    ]),
  );
}

/** Adds unknown members to a request body, where the fields have a place for them. */
export function enterUnknown(body: Fields, unknown: readonly UnknownMember[]): void {
  for (const { place = [], value } of unknown) {
    const member = place.at(-1);
    const holder = valueAt(body, place.slice(0, -1));
    if (typeof member === "string" && isFields(holder)) holder[member] = value;
  }
}
