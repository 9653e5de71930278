import { listedEntries } from "../../model/fields/list-entries.ts";
import { shortForm } from "../../model/fields/short-form.ts";
import { type Fields, isFields, type Json } from "../../values/json.ts";
import { type FieldSchema, listForm, memberOf } from "../../model/schema/field-schema.ts";
import type { Manifest } from "./document.ts";

export type ManifestContent = Pick<Manifest, "kind" | "name" | "parent" | "fields"> &
  Partial<Pick<Manifest, "manage" | "clone">>;

/** The members of a manifest, in the order of the schema. */
export function manifestMembers({ kind, parent, name, manage, clone, fields }: ManifestContent): object {
  return {
    kind: kind.name,
    ...(kind.parentMember !== undefined && parent !== undefined && { [kind.parentMember]: parent }),
    name,
    ...(manage && Object.keys(manage).length > 0 && { manage }),
    ...(clone && { clone }),
    ...inSchemaOrder(kind.fields, fields),
  };
}

function inSchemaOrder(schema: FieldSchema, fields: Fields): Fields {
  const known = Object.keys(schema.properties ?? {}).filter((member) => Object.hasOwn(fields, member));
  const others = Object.keys(fields).filter((member) => !known.includes(member));
  return Object.fromEntries(
    [...known, ...others].map((member) => [
      member,
      ordered(memberOf(schema, member), fields[member] ?? null),
    ]),
  );
}

function ordered(schema: FieldSchema | undefined, value: Json): Json {
  if (!schema || schema.opaque) return value;
  if (schema.keyedBy) return ordered(listForm(schema), listedEntries(schema, value));
  if (isFields(value)) return shortForm(schema, inSchemaOrder(schema, value));
  return Array.isArray(value) ? value.map((element) => ordered(schema.items, element)) : value;
}
