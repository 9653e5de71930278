import { type Fields, isFields, type Json, once, own, textIn } from "../json.ts";
import { type FieldSchema, hasMembers, memberOf } from "../schema/field-schema.ts";

// The API has no place for the version of a secret, so the description of the resource ends with it.
const mark = / ?\[secret version (?<version>[^\]]*)\]$/;

/**
 * Fields in request form, with the version of their secret in the description. Without secrets, or without a version,
 * they stay as they are.
 */
export function withVersionMark(schema: FieldSchema, fields: Fields): Fields {
  const version = versionIn(schema, fields);
  if (version === undefined || version === "") return fields;
  const description = textIn(fields, "description") ?? "";
  return { ...fields, description: `${description} [secret version ${version}]`.trimStart() };
}

/** A response with an object for each secret that it has, with the version that its description names. */
export function withSecretsShown(schema: FieldSchema, response: Fields): Fields {
  if (!hasSecrets(schema)) return response;
  const description = textIn(response, "description");
  const version = description === undefined ? undefined : mark.exec(description)?.groups?.["version"];
  const shown = shownIn(schema, response, version === undefined ? {} : { version });
  return version === undefined ? shown : { ...shown, description: (description ?? "").replace(mark, "") };
}

function shownIn(schema: FieldSchema, response: Fields, secret: Fields): Fields {
  const result: Fields = { ...response };
  for (const [member, inner] of Object.entries(schema.properties ?? {})) {
    const value = own(response, member);
    if (inner.secret) {
      if (isThere(inner, response)) result[member] = secret;
      else delete result[member];
    } else if (hasMembers(inner) && !inner.part && isFields(value))
      result[member] = shownIn(inner, value, secret);
  }
  return result;
}

function isThere({ shownBy }: FieldSchema, beside: Fields): boolean {
  const sign: Json = shownBy === undefined ? true : (own(beside, shownBy) ?? false);
  return sign !== false && sign !== "";
}

function versionIn(schema: FieldSchema, fields: Fields): string | undefined {
  for (const [member, value] of Object.entries(fields)) {
    const inner = memberOf(schema, member);
    if (!inner || inner.part || !isFields(value)) continue;
    const version = inner.secret ? textIn(value, "version") : versionIn(inner, value);
    if (version !== undefined) return version;
  }
  return undefined;
}

/** Whether a schema has secrets among its members, except in parts. */
const hasSecrets = once(({ properties = {} }: FieldSchema): boolean =>
  Object.values(properties).some((inner) => !inner.part && (inner.secret === true || hasSecrets(inner))),
);
