import { type Fields, isFields, type Json, mapFields, own } from "../../core/json.ts";
import { hiddenMember } from "../../core/secrets/index.ts";
import { elementKey } from "../../core/schema/elements.ts";
import { type FieldSchema, hasMembers, memberOf } from "../../core/schema/field-schema.ts";

/** The fields with the values of their secrets as they were last written, which the API never shows. */
export function withSecretsOf(schema: FieldSchema, fields: Fields, before: Fields): Fields {
  return mapSecrets(schema, fields, before, (secret, earlier, member) => {
    const value = own(secret, member) ?? own(earlier, member);
    return value === undefined ? secret : { ...secret, [member]: value };
  });
}

/** Stated fields with a sign for each secret whose value is another than the last one. */
export function withChangedSecrets(schema: FieldSchema, stated: Fields, before: Fields): Fields {
  return mapSecrets(schema, stated, before, (secret, earlier, member) =>
    own(secret, member) === own(earlier, member) ? secret : { ...secret, rotate: true },
  );
}

/** @param change a secret, the earlier one, and the member that has the value */
type SecretChange = (secret: Fields, earlier: Fields, member: string) => Fields;

function mapSecrets(schema: FieldSchema, fields: Fields, before: Fields, change: SecretChange): Fields {
  if (schema.secret) return change(fields, before, "value");
  const hidden = hiddenMember(schema, fields);
  const changed = mapFields(fields, (value, member) => {
    const inner = memberOf(schema, member);
    const earlier = own(before, member);
    if (!inner || (inner.part && !inner.properties)) return value;
    if (inner.items?.properties && Array.isArray(value) && Array.isArray(earlier))
      return inElements(inner, inner.items, value, earlier, change);
    return hasMembers(inner) && isFields(value) && isFields(earlier)
      ? mapSecrets(inner, value, earlier, change)
      : value;
  });
  return hidden !== undefined && hidden === hiddenMember(schema, before)
    ? change(changed, before, hidden)
    : changed;
}

/** The same for the elements of a list, each with the earlier one that is known by the same. */
function inElements(
  list: FieldSchema,
  items: FieldSchema,
  elements: readonly Json[],
  before: readonly Json[],
  change: SecretChange,
): Json {
  return elements.map((element) => {
    const key = elementKey(list, element);
    const earlier = before.find((each) => elementKey(list, each) === key);
    return isFields(element) && isFields(earlier) ? mapSecrets(items, element, earlier, change) : element;
  });
}
