import { type Fields, isFields, type Json, own, textIn } from "../json.ts";
import { type FieldSchema, hasMembers, memberOf } from "../schema/field-schema.ts";
import { hasSecrets, hiddenMember, mapObjects } from "./in-fields.ts";

// The API has no place for the version of a secret, so the description of the resource ends with it.
const mark = / ?\[secret version (?<version>[^\]]*)\]$/;

/**
 * Fields in request form, with the version of their secret in the description, or those of the secret elements of their lists.
 * Without secrets, or without a version, they stay as they are.
 */
export function withVersionMark(schema: FieldSchema, fields: Fields): Fields {
  const ofElements: string[] = [];
  const bare = mapObjects(schema, fields, [], (inside, object, path) => {
    if (!isSecretElement(inside, object)) return object;
    const { version, ...others } = object;
    if (typeof version === "string" && version !== "")
      ofElements.push([keyIn(path), version].map(encodeURIComponent).join("="));
    return others;
  });
  const version = ofElements.length > 0 ? ofElements.join(" ") : versionIn(schema, bare);
  if (version === undefined || version === "") return bare;
  const description = textIn(bare, "description") ?? "";
  return { ...bare, description: `${description} [secret version ${version}]`.trimStart() };
}

/** A response with an object for each secret that it has, and with the versions that its description names. */
export function withSecretsShown(schema: FieldSchema, response: Fields): Fields {
  if (!hasSecrets(schema)) return response;
  const description = textIn(response, "description");
  const version = description === undefined ? undefined : mark.exec(description)?.groups?.["version"];
  const shown = shownIn(schema, response, version === undefined ? {} : { version });
  const ofElements = new Map(version?.split(" ").map((pair) => pair.split("=", 2) as [string, string]));
  const marked = mapObjects(schema, shown, [], (inside, object, path) =>
    isSecretElement(inside, object)
      ? { ...object, version: decodeURIComponent(ofElements.get(encodeURIComponent(keyIn(path))) ?? "") }
      : object,
  );
  return version === undefined ? marked : { ...marked, description: (description ?? "").replace(mark, "") };
}

/** The key of an element at the end of a path: of `[password]`, what is in the brackets. */
function keyIn(path: readonly string[]): string {
  return path.at(-1)?.slice(1, -1) ?? "";
}

/** Whether an element of a list says that the API hides its value. */
function isSecretElement(schema: FieldSchema, object: Fields): boolean {
  return !schema.secret && hiddenMember(schema, object) !== undefined;
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
