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
  if (schema.opaque) return value;
  // An empty text means no value where the schema requires a text.
  if (value === "" && schema.minLength !== undefined) return undefined;
  if (schema.properties && isFields(value)) return fromResponse(schema, value);
  const { items } = schema;
  if (items && Array.isArray(value)) {
    return value.map((element) => {
      if (!isFields(element)) return element;
      if (items.reference !== undefined) return reference(element["id"], element["name"]) ?? element;
      const fields = items.properties ? fromResponse(items, element) : element;
      const { id } = element;
      return schema.identified && id !== undefined ? { id, ...fields } : fields;
    });
  }
  return value;
}

function referenceFromResponse(member: string, response: Fields): Fields | undefined {
  const object = own(response, member);
  return isFields(object)
    ? reference(object["id"], object["name"])
    : reference(own(response, `${member}_id`), own(response, `${member}_name`));
}

function reference(id: Json | undefined, name: Json | undefined): Fields | undefined {
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
    } else if (memberSchema.reference === undefined) body[member] = valueToRequest(memberSchema, value);
    else if (isFields(value) && value["id"] !== undefined) body[`${member}_id`] = value["id"];
  }
  return body;
}

function valueToRequest(schema: FieldSchema, value: Json): Json {
  if (schema.opaque) return value;
  if (schema.properties && isFields(value)) return toRequest(schema, value);
  const { items } = schema;
  if (items && Array.isArray(value)) {
    return value.map((element) => {
      if (!isFields(element)) return element;
      const { id } = element;
      if (items.reference !== undefined) return { id: id ?? null };
      const body = items.properties ? toRequest(items, element) : element;
      return schema.identified && id !== undefined ? { id, ...body } : body;
    });
  }
  return value;
}
