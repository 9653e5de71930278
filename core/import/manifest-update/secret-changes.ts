import type { Address } from "../../model/addresses/address.ts";
import type { FieldChange } from "../../model/fields/compare.ts";
import { sourceOfSecret, sourcesFor } from "../live/index.ts";
import { type Fields, isFields, type Json, valueAt } from "../../values/json.ts";
import { declaredParts } from "../../model/parts/index.ts";
import { type FieldSchema, schemaAt } from "../../model/schema/field-schema.ts";
import { withSources } from "../../secrets/index.ts";

/** Whether a change is a declared secret that is not live: only the manifest knows its source. */
export function isMissingSecret(
  { kind }: Address,
  { path, before }: FieldChange,
  all: readonly FieldChange[],
): boolean {
  if (before !== undefined || isExcluded(kind.fields, path, all)) return false;
  const [member = "", ...inside] = path;
  const isPart = declaredParts(kind).some((part) => part.member === member && part.form.isWriteOnly);
  return isPart ? inside.length <= 1 : schemaAt(kind.fields, path)?.secret === true;
}

/** Whether a live member excludes the field, or a parent of it, by the schema. */
function isExcluded(fields: FieldSchema, path: FieldChange["path"], all: readonly FieldChange[]): boolean {
  return path.some((member, depth) => {
    const around = path.slice(0, depth);
    const { alternatives = [] } = schemaAt(fields, around) ?? {};
    if (!alternatives.some((group) => group.includes(member))) return false;
    const others = new Set(alternatives.filter((group) => !group.includes(member)).flat());
    return all.some(
      (change) =>
        change.before !== undefined &&
        around.every((part, index) => part === change.path[index]) &&
        others.has(change.path[depth] ?? ""),
    );
  });
}

/** The change with a source for each live secret, whose value the server does not show. */
export function withSecretSources({ kind, names }: Address, change: FieldChange): FieldChange {
  const { path, before } = change;
  if (before === undefined) return change;
  const [top = "", key] = path;
  const isEntry =
    path.length === 2 && declaredParts(kind).some((part) => part.member === top && part.form.isWriteOnly);
  if (isEntry && key !== undefined && isFields(before))
    return { ...change, before: { ...sourceOfSecret(kind, names, key), ...before } };
  const around = path.reduceRight<Json>((inside, member) => ({ [member]: inside }), before) as Fields;
  const sourced = withSources(kind.fields, around, sourcesFor(kind, names.at(-1) ?? ""));
  return { ...change, before: valueAt(sourced, path) ?? before };
}
