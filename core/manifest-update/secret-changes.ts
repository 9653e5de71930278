import type { Address } from "../address.ts";
import type { FieldChange } from "../fields/compare.ts";
import { sourcesFor } from "../import/live/index.ts";
import type { Fields, Json } from "../json.ts";
import { statedParts } from "../parts/index.ts";
import { type FieldSchema, memberOf } from "../schema/field-schema.ts";
import { withSources } from "../secrets/index.ts";
import { valueAt } from "./locate.ts";

/** Whether a change is a stated secret that is not live: only the manifest knows its source. */
export function isMissingSecret({ kind }: Address, { path, before }: FieldChange): boolean {
  if (before !== undefined) return false;
  const [member = "", ...inside] = path;
  const isPart = statedParts(kind).some((part) => part.member === member && part.form.isWriteOnly);
  const schema = path.reduce<FieldSchema | undefined>(
    (around, part) => around && memberOf(around, part),
    kind.fields,
  );
  return isPart ? inside.length <= 1 : schema?.secret === true;
}

/** The change with a source for each live secret, whose value the server does not show. */
export function withSecretSources({ kind, names }: Address, change: FieldChange): FieldChange {
  const { path, before } = change;
  if (before === undefined) return change;
  const around = path.reduceRight<Json>((inside, member) => ({ [member]: inside }), before) as Fields;
  const sourced = withSources(kind.fields, around, sourcesFor(kind, names.at(-1) ?? ""));
  return { ...change, before: valueAt(sourced, path) ?? before };
}
