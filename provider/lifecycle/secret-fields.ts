import { type Fields, isFields, type Json, mapFields, own } from "../../core/json.ts";
import { type FieldSchema, hasMembers, memberOf } from "../../core/schema/field-schema.ts";

/** The fields with the values of their secrets as they were last written, which the API never shows. */
export function withSecretsOf(schema: FieldSchema, fields: Fields, before: Fields): Fields {
  return mapSecrets(schema, fields, before, (secret, earlier) => ({ ...earlier, ...secret }));
}

/** Stated fields with a sign for each secret whose value is another than the last one. */
export function withChangedSecrets(schema: FieldSchema, stated: Fields, before: Fields): Fields {
  return mapSecrets(schema, stated, before, (secret, earlier) =>
    secret["value"] === earlier["value"] ? secret : { ...secret, rotate: true },
  );
}

function mapSecrets(
  schema: FieldSchema,
  fields: Fields,
  before: Fields,
  change: (secret: Fields, earlier: Fields) => Json,
): Fields {
  return mapFields(fields, (value, member) => {
    const inner = memberOf(schema, member);
    const earlier = own(before, member);
    if (!inner || inner.part || !isFields(value) || !isFields(earlier)) return value;
    if (inner.secret) return change(value, earlier);
    return hasMembers(inner) ? mapSecrets(inner, value, earlier, change) : value;
  });
}
