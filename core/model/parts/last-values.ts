import { type Fields, isFields, type Json, mapFields, own, sameJson } from "../../values/json.ts";
import type { FieldSchema } from "../schema/field-schema.ts";
import { withChangedSecrets, withLastSecrets } from "../../secrets/index.ts";
import { shareList } from "./lists.ts";
import { entriesIn, declaredParts, type WithParts } from "./declared-parts.ts";

// The parts of a resource whose earlier declaration is cached, as a shape: the members of the declared fields,
// without values.

type KindWithParts = WithParts & { fields: FieldSchema };

/** The fields of a resource with the parts of a shape, and the reports about these. */
export function withPartsInShape(
  kind: KindWithParts,
  before: Fields,
  { parts, reports = {} }: { parts?: Fields; reports?: Fields },
  shape: Json,
): { fields: Fields; reports?: Fields } {
  if (!parts || !isFields(shape)) return { fields: before };
  const fields: Fields = { ...before };
  for (const { member, form } of declaredParts(kind)) {
    const declared = own(shape, member);
    const entries = own(parts, member);
    const { entries: schema } = own(kind.fields.properties ?? {}, member) ?? {};
    if (isFields(declared) && isFields(entries))
      fields[member] = mapFields(entries, (entry, key) =>
        Object.hasOwn(declared, key) ? forState(withDefaults(schema, entry, own(declared, key))) : undefined,
      );
    else if (form.isSingle && Object.hasOwn(shape, member) && entries !== undefined) fields[member] = entries;
  }
  return { fields, reports: declaredReports(kind, reports, shape) };
}

function declaredReports({ parts }: WithParts, reported: Fields, shape: Fields): Fields {
  const found: Fields = {};
  for (const { member, reports } of parts) {
    const declared = own(shape, member);
    const entries = reports && own(reported, reports.member);
    if (reports && isFields(entries))
      found[reports.member] = mapFields(entries, (entry, key) =>
        isFields(declared) && Object.hasOwn(declared, key) ? entry : undefined,
      );
  }
  return found;
}

/** An entry with the default of each member in the shape that the API omits. */
function withDefaults(schema: FieldSchema | undefined, entry: Json, declared: Json | undefined): Json {
  if (!isFields(entry) || !isFields(declared)) return entry;
  const result: Fields = { ...entry };
  for (const member of Object.keys(declared)) {
    const { default: fallback } = own(schema?.properties ?? {}, member) ?? {};
    if (fallback !== undefined && !Object.hasOwn(entry, member)) result[member] = fallback;
  }
  return result;
}

/** An entry without the members that only the writing run learns. */
function forState(entry: Json): Json {
  if (!isFields(entry)) return entry;
  const { rotate: _rotate, ...kept } = entry;
  return kept;
}

/** The fields with the hidden values, as they were last written. */
export function withLastValues(kind: KindWithParts, fields: Fields, before: Fields): Fields {
  return mapWriteOnly(kind, withLastSecrets(kind.fields, fields, before), before, (entry, earlier) => ({
    ...earlier,
    ...entry,
  }));
}

/** Declared fields with a sign for each hidden value that differs from the last one. */
export function withChangedValues(kind: KindWithParts, declared: Fields, before: Fields): Fields {
  const changed = withChangedSecrets(kind.fields, declared, before);
  // An unknown earlier value may differ.
  return mapWriteOnly(kind, changed, before, (entry, earlier) =>
    earlier && sameJson(entry["value"], earlier["value"]) ? entry : { ...entry, rotate: true },
  );
}

/** Declared fields with null for each key that was another sort of part before: a variable becomes a secret. */
export function withMovedKeys(kind: WithParts, declared: Fields, shape: Json): Fields {
  const result: Fields = { ...declared };
  if (!isFields(shape)) return result;
  const parts = declaredParts(kind);
  for (const part of parts)
    for (const other of parts) {
      if (part === other || !shareList(part, other)) continue;
      const moved = Object.keys(entriesIn(shape, other.member)).filter(
        (key) =>
          Object.hasOwn(entriesIn(declared, part.member), key) &&
          !Object.hasOwn(entriesIn(declared, other.member), key),
      );
      if (moved.length > 0)
        result[other.member] = {
          ...entriesIn(result, other.member),
          ...Object.fromEntries(moved.map((key) => [key, null])),
        };
    }
  return result;
}

/** Replaces entries of parts with hidden values. */
function mapWriteOnly(
  kind: WithParts,
  fields: Fields,
  before: Fields,
  change: (entry: Fields, earlier: Fields | undefined) => Fields,
): Fields {
  const result: Fields = { ...fields };
  for (const { member, form } of declaredParts(kind)) {
    const entries = own(fields, member);
    if (!form.isWriteOnly || !isFields(entries)) continue;
    result[member] = mapFields(entries, (entry, key) => {
      const earlier = own(entriesIn(before, member), key);
      return isFields(entry) ? change(entry, isFields(earlier) ? earlier : undefined) : entry;
    });
  }
  return result;
}
