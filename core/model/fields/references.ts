import type { Message } from "../../problems/say.ts";
import { nearest } from "../schema/suggest.ts";
import { type Fields, isFields, type Json, mapFields, once, own } from "../../values/json.ts";
import { type Catalogue, catalogues as definitions } from "../schema/catalogues.ts";
import { type FieldSchema, hasMembers, memberOf } from "../schema/field-schema.ts";
import { elementKey, elementLabel, pairElements } from "../schema/elements.ts";

/** An entry of a catalogue: a cluster, a registry, a token, a group. */
export interface CatalogueEntry {
  name: string;
  /** Undefined: the run has yet to create it. */
  id?: string | undefined;
  madeBy?: string | undefined;
}

/** Declared fields with their resolved references, as far as the lists are known. */
export interface ResolvedFields<List> {
  fields: Fields;
  /** The lists that the other references need. */
  missing: List[];
  /** References that cannot be resolved: no entry, or several. */
  problems: { path: string[]; message: string | Message; advice: string }[];
}

/** Resolves references to `{id, name?}`, or to `{name, made_by}` of an entry that the run creates. Present ones need no list. */
export function resolveReferences(
  schema: FieldSchema,
  declared: Fields,
  current: Fields | undefined,
  entriesOf: (catalogue: Catalogue) => readonly CatalogueEntry[] | undefined,
): ResolvedFields<Catalogue> {
  const missing = new Set<Catalogue>();
  const problems: ResolvedFields<Catalogue>["problems"] = [];

  function members(inside: FieldSchema, fields: Fields, live: Fields | undefined, path: string[]): Fields {
    return mapFields(fields, (value, member) => {
      const memberSchema = memberOf(inside, member);
      if (!memberSchema || !mayRefer(memberSchema)) return value;
      const liveValue = live && own(live, member);
      return one(memberSchema, value, liveValue === undefined ? [] : [liveValue], [...path, member]);
    });
  }

  function one(inside: FieldSchema, value: Json, live: Json[], path: string[]): Json {
    if (inside.reference !== undefined && typeof value === "string") {
      return entryOf(inside.reference, value, live, path);
    }
    if (hasMembers(inside) && isFields(value)) {
      const [liveValue] = live;
      return members(inside, value, isFields(liveValue) ? liveValue : undefined, path);
    }
    const { items } = inside;
    if (items && Array.isArray(value)) {
      const liveList = live.flatMap((list) => (Array.isArray(list) ? list : []));
      if (items.reference !== undefined) {
        const found = value.map((element, index) => one(items, element, liveList, [...path, `[${index}]`]));
        problems.push(...sameTwice(inside, found, path));
        return found;
      }
      const keyed = value.map((element) => withKeys(inside, element, liveList, path));
      problems.push(...sameTwice(inside, keyed, path));
      return pairElements(inside, liveList, keyed).flatMap(({ left, right }) =>
        right === undefined ? [] : [one(items, right, left === undefined ? [] : [left], path)],
      );
    }
    return value;
  }

  function withKeys(
    { set = [], items = {} }: FieldSchema,
    element: Json,
    live: Json[],
    path: string[],
  ): Json {
    if (!isFields(element)) return element;
    return mapFields(element, (value, member) => {
      const catalogue = set.includes(member) ? own(items.properties ?? {}, member)?.reference : undefined;
      if (catalogue === undefined || typeof value !== "string") return value;
      const known = live.flatMap((each) => (isFields(each) ? (own(each, member) ?? []) : []));
      return entryOf(catalogue, value, known, [...path, member]);
    });
  }

  function entryOf(catalogue: Catalogue, desired: string, live: Json[], path: string[]): Json {
    const known = live.find((value) => isFields(value) && isNamed(value, desired));
    if (known !== undefined) return known;
    const entries = entriesOf(catalogue);
    if (!entries) {
      missing.add(catalogue);
      return desired;
    }
    const exact = entries.filter((entry) => entry.id === desired || entry.name === desired);
    const found = exact.length > 0 ? exact : entries.filter((entry) => isNamed(entry, desired));
    const [first, second] = found;
    if (first && !second) return referenceTo(first);
    problems.push({
      path,
      ...(second
        ? {
            message: `there are ${found.length} ${definitions[catalogue].many} named "${desired}"`,
            advice: `declare the id of one: ${found.flatMap(({ id }) => id ?? []).join(", ")}`,
          }
        : {
            message: `there is no ${definitions[catalogue].one} "${desired}"`,
            advice: adviceOnEntry(catalogue, entries, desired),
          }),
    });
    return desired;
  }

  return { fields: members(schema, declared, current, []), missing: [...missing], problems };
}

/** The elements of a set that refer to the same entry as an earlier one, by another name. */
function sameTwice(
  schema: FieldSchema,
  elements: readonly Json[],
  path: readonly string[],
): ResolvedFields<Catalogue>["problems"] {
  const keys = elements.map((element) => elementKey(schema, element));
  return keys.flatMap((key, index) => {
    const first = keys.indexOf(key);
    if (first === index || !schema.set) return [];
    return [
      {
        path: [...path, `[${index}]`],
        message: `${elementLabel(schema, elements[index] ?? null)} is in the list twice, first as element ${first + 1}`,
        advice: "write each element once",
      },
    ];
  });
}

function referenceTo({ id, name, madeBy = "" }: CatalogueEntry): Fields {
  return id === undefined ? { name, made_by: madeBy } : { id, name };
}

/** The references in declared fields, as declared: names or ids. */
export function referencesIn(
  schema: FieldSchema,
  declared: Fields,
): { catalogue: Catalogue; desired: string }[] {
  return allReferences(schema, declared).flatMap(({ catalogue, value }) =>
    typeof value === "string" ? [{ catalogue, desired: value }] : [],
  );
}

/** The ids to which resolved references in fields refer, for one catalogue. */
export function idsReferredTo(
  schema: FieldSchema,
  fields: Fields,
  catalogue: Catalogue | undefined,
): string[] {
  return allReferences(schema, fields).flatMap(({ catalogue: its, value }) =>
    its === catalogue && isFields(value) && typeof value["id"] === "string" ? [value["id"]] : [],
  );
}

/** Adds missing names to resolved references. @param nameOf undefined: unknown */
export function withReferenceNames(
  schema: FieldSchema,
  fields: Fields,
  nameOf: (catalogue: Catalogue, id: string) => string | undefined,
): Fields {
  const inside = (inner: FieldSchema, value: Json): Json => {
    if (inner.reference !== undefined && isFields(value) && value["name"] === undefined) {
      const name = nameOf(inner.reference, String(value["id"]));
      return name === undefined ? value : { ...value, name };
    }
    if (inner.opaque || inner.part) return value;
    const { items } = inner;
    if (items && Array.isArray(value)) return value.map((element) => inside(items, element));
    return isFields(value) && inner.properties ? withReferenceNames(inner, value, nameOf) : value;
  };
  return mapFields(fields, (value, member) => inside(own(schema.properties ?? {}, member) ?? {}, value));
}

/** Adds the names that other fields have for these ids, because answers may have the id alone. */
export function withNamesFrom(schema: FieldSchema, fields: Fields, known: Fields): Fields {
  const names = new Map(
    allReferences(schema, known).flatMap(({ catalogue, value }) =>
      isFields(value) && typeof value["name"] === "string"
        ? [[`${catalogue} ${String(value["id"])}`, value["name"]]]
        : [],
    ),
  );
  return withReferenceNames(schema, fields, (catalogue, id) => names.get(`${catalogue} ${id}`));
}

export function namelessCatalogues(schema: FieldSchema, fields: Fields): Catalogue[] {
  const nameless = allReferences(schema, fields).filter(
    ({ value }) => isFields(value) && value["name"] === undefined,
  );
  return [...new Set(nameless.map(({ catalogue }) => catalogue))];
}

interface FoundReference {
  catalogue: Catalogue;
  value: Json;
}

function allReferences(schema: FieldSchema, fields: Fields): FoundReference[] {
  const inside = (inner: FieldSchema, value: Json): FoundReference[] => {
    if (inner.reference !== undefined) return [{ catalogue: inner.reference, value }];
    if (inner.opaque) return [];
    const { items } = inner;
    if (items && Array.isArray(value)) return value.flatMap((element) => inside(items, element));
    return isFields(value) ? allReferences(inner, value) : [];
  };
  return Object.keys(fields).flatMap((member) => {
    const inner = memberOf(schema, member);
    return inner && mayRefer(inner) ? inside(inner, fields[member] ?? null) : [];
  });
}

/** Whether a value of a schema can contain a reference: most parts cannot, and there are many. */
export const mayRefer = once(
  ({ reference, properties = {}, entries, items }: FieldSchema): boolean =>
    reference !== undefined ||
    [...Object.values(properties), entries, items].some((inner) => inner !== undefined && mayRefer(inner)),
);

/** Replaces ids of actions in a value by the ids of the entries that they have created. */
export function withMadeReferences<Value extends Json>(
  value: Value,
  idOf: (action: string) => string | undefined,
): Value;
export function withMadeReferences(value: Json, idOf: (action: string) => string | undefined): Json {
  if (Array.isArray(value)) return value.map((element) => withMadeReferences(element, idOf));
  if (!isFields(value)) return value;
  const { name, made_by: madeBy } = value;
  const id = typeof madeBy === "string" ? idOf(madeBy) : undefined;
  return id === undefined || name === undefined
    ? mapFields(value, (inner) => withMadeReferences(inner, idOf))
    : { id, name };
}

/** Whether a declared text is the id or the name of an entry. */
export function isNamed({ id, name }: { id?: Json | undefined; name?: Json }, desired: Json): boolean {
  if (typeof desired !== "string") return false;
  return id === desired || (typeof name === "string" && name.toLowerCase() === desired.toLowerCase());
}

/** Advice on a name or id that no entry has: the nearest, and all names. */
export function adviceOnEntry(
  catalogue: Catalogue,
  entries: readonly CatalogueEntry[],
  desired: string,
): string {
  if (entries.length === 0) return `the organization has no ${definitions[catalogue].many}`;
  const names = entries.map((entry) => entry.name).toSorted();
  const near = nearest(desired, names);
  return `${near === undefined ? "" : `did you mean ${near}? `}the organization has: ${names.join(", ")}`;
}
