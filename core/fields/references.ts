import { type Fields, isFields, type Json, mapFields, own } from "../json.ts";
import { type Catalogue, catalogues as definitions } from "../schema/catalogues.ts";
import type { FieldSchema } from "../schema/field-schema.ts";
import { pairElements } from "../schema/elements.ts";

/** An entry of a catalogue: a cluster, a registry, a token, a group. */
export interface CatalogueEntry {
  id: string;
  name: string;
}

/** The catalogues that have been fetched. */
export type Catalogues = Partial<Record<Catalogue, readonly CatalogueEntry[]>>;

/** The result of looking up the references of a resource. */
export interface ResolvedReferences {
  /** The fields, with `{id, name?}` for every reference that could be looked up. */
  fields: Fields;
  /** Catalogues that have to be fetched before the rest can be looked up. */
  missing: Catalogue[];
  /** References to nothing, or to more than one entry. */
  problems: { path: string[]; message: string; advice: string }[];
}

/**
 * Looks up the references among stated fields. A reference that the live resource already has needs no catalogue: the
 * answer has its id and mostly its name.
 */
export function resolveReferences(
  schema: FieldSchema,
  stated: Fields,
  current: Fields | undefined,
  catalogues: Catalogues,
): ResolvedReferences {
  const missing = new Set<Catalogue>();
  const problems: ResolvedReferences["problems"] = [];

  function members(inside: FieldSchema, fields: Fields, live: Fields | undefined, path: string[]): Fields {
    return mapFields(fields, (value, member) => {
      const memberSchema = own(inside.properties ?? {}, member) ?? {};
      const liveValue = live && own(live, member);
      return one(memberSchema, value, liveValue === undefined ? [] : [liveValue], [...path, member]);
    });
  }

  function one(inside: FieldSchema, value: Json, live: Json[], path: string[]): Json {
    if (inside.reference !== undefined && typeof value === "string") {
      return lookUp(inside.reference, value, live, path);
    }
    if (inside.properties && !inside.opaque && isFields(value)) {
      const [liveValue] = live;
      return members(inside, value, isFields(liveValue) ? liveValue : undefined, path);
    }
    const { items } = inside;
    if (items && Array.isArray(value)) {
      const liveList = live.flatMap((list) => (Array.isArray(list) ? list : []));
      if (items.reference !== undefined) {
        return value.map((element, index) => one(items, element, liveList, [...path, `[${index}]`]));
      }
      return pairElements(inside, liveList, value).flatMap(({ left, right }) =>
        right === undefined ? [] : [one(items, right, left === undefined ? [] : [left], path)],
      );
    }
    return value;
  }

  function lookUp(catalogue: Catalogue, wanted: string, live: Json[], path: string[]): Json {
    const known = live.find((value) => isFields(value) && matches(value, wanted));
    if (known !== undefined) return known;
    const entries = catalogues[catalogue];
    if (!entries) {
      missing.add(catalogue);
      return wanted;
    }
    const exact = entries.filter((entry) => entry.id === wanted || entry.name === wanted);
    const found = exact.length > 0 ? exact : entries.filter((entry) => matches({ ...entry }, wanted));
    const [first, second] = found;
    if (first && !second) return { id: first.id, name: first.name };
    problems.push({
      path,
      ...(second
        ? {
            message: `there are ${found.length} ${definitions[catalogue].many} named "${wanted}"`,
            advice: `state the id of one: ${found.map((entry) => entry.id).join(", ")}`,
          }
        : {
            message: `there is no ${definitions[catalogue].one} "${wanted}"`,
            advice: existing(catalogue, entries),
          }),
    });
    return wanted;
  }

  return { fields: members(schema, stated, current, []), missing: [...missing], problems };
}

function matches(entry: Fields, wanted: string): boolean {
  const { id, name } = entry;
  return id === wanted || (typeof name === "string" && name.toLowerCase() === wanted.toLowerCase());
}

function existing(catalogue: Catalogue, entries: readonly CatalogueEntry[]): string {
  return entries.length === 0
    ? `the organization has no ${definitions[catalogue].many}`
    : `the organization has: ${entries
        .map((entry) => entry.name)
        .toSorted()
        .join(", ")}`;
}
