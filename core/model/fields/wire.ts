import { type Fields, isFields, type Json, own } from "../../values/json.ts";
import { type FieldSchema, propertiesOf } from "../schema/field-schema.ts";

/** The fields of a response in manifest form. A reference becomes `{id, name?}`; elements of identified lists keep their `id`. */
export function fromResponse(schema: FieldSchema, response: Fields): Fields {
  const fields: Fields = {};
  for (const [member, memberSchema] of propertiesOf(schema)) {
    const { hiddenWhen } = memberSchema;
    // If a server shows a hidden member anyway, no output repeats it.
    if (memberSchema.part || (hiddenWhen !== undefined && own(response, hiddenWhen) === true)) continue;
    if (memberSchema.secret) {
      const secret = own(response, member);
      if (isFields(secret)) fields[member] = secret;
      continue;
    }
    const value =
      memberSchema.reference === undefined
        ? valueFromResponse(memberSchema, own(response, member))
        : referenceFromResponse(member, response);
    if (value !== undefined && value !== null) fields[member] = value;
  }
  return fields;
}

function valueFromResponse(schema: FieldSchema, value: Json | undefined): Json | undefined {
  // An empty text means no value where the schema requires a text.
  if (value === undefined || (value === "" && schema.minLength !== undefined && !schema.opaque))
    return undefined;
  return converted(schema, value, fromResponse, (element) => reference(element) ?? element);
}

/** A value in another form. @param fieldsOf converts mappings @param referenceOf converts references in lists */
function converted(
  schema: FieldSchema,
  value: Json,
  fieldsOf: (schema: FieldSchema, fields: Fields) => Fields,
  referenceOf: (element: Fields) => Fields,
): Json {
  const { items, properties, opaque, identified } = schema;
  if (opaque) return value;
  if (properties && isFields(value)) return fieldsOf(schema, value);
  if (!items || !Array.isArray(value)) return value;
  return value.map((element) => {
    if (!isFields(element)) return element;
    if (items.reference !== undefined) return referenceOf(element);
    const fields = items.properties ? fieldsOf(items, element) : element;
    const { id } = element;
    return identified && id !== undefined ? { id, ...fields } : fields;
  });
}

function referenceFromResponse(member: string, response: Fields): Fields | undefined {
  const object = own(response, member);
  return reference(
    isFields(object) ? object : { id: own(response, `${member}_id`), name: own(response, `${member}_name`) },
  );
}

function reference({ id, name }: { id?: Json | undefined; name?: Json | undefined }): Fields | undefined {
  if (typeof id !== "string") return undefined;
  return typeof name === "string" ? { id, name } : { id };
}

/** The fields in request form: references as ids, without absent ones, except those that the API always needs. */
export function toRequest(schema: FieldSchema, fields: Fields): Fields {
  const body: Fields = {};
  for (const [member, memberSchema] of propertiesOf(schema)) {
    if (memberSchema.part || memberSchema.neverShown) continue;
    const value = own(fields, member) ?? (memberSchema.alwaysSent ? memberSchema.default : undefined);
    if (value === undefined || value === null) continue;
    if (memberSchema.secret) {
      // An undeclared secret of the resource has no value.
      if (isFields(value) && value["value"] !== undefined) body[member] = value["value"];
    } else if (memberSchema.reference === undefined)
      body[member] = converted(memberSchema, value, toRequest, ({ id = null }) => ({ id }));
    else if (isFields(value) && value["id"] !== undefined) body[`${member}_id`] = value["id"];
  }
  return body;
}
