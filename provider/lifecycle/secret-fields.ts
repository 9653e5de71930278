import { type Fields, isFields, type Json, mapFields, own } from "../../core/json.ts";
import { elementKey } from "../../core/schema/elements.ts";
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
    if (!inner || (inner.part && !inner.properties)) return value;
    if (inner.items?.properties && Array.isArray(value) && Array.isArray(earlier))
      return inElements(inner, inner.items, value, earlier, change);
    if (!isFields(value) || !isFields(earlier)) return value;
    if (inner.secret) return change(value, earlier);
    return hasMembers(inner) ? mapSecrets(inner, value, earlier, change) : value;
  });
}

/** The same for the elements of a list, each with the earlier one that is known by the same. */
function inElements(
  list: FieldSchema,
  items: FieldSchema,
  elements: readonly Json[],
  before: readonly Json[],
  change: (secret: Fields, earlier: Fields) => Json,
): Json {
  return elements.map((element) => {
    const key = elementKey(list, element);
    const earlier = before.find((each) => elementKey(list, each) === key);
    return isFields(element) && isFields(earlier) ? mapSecrets(items, element, earlier, change) : element;
  });
}
