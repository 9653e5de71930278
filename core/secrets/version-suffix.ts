import { type Fields, isFields, type Json, own, textIn } from "../values/json.ts";
import { type FieldSchema, hasMembers, memberOf } from "../model/schema/field-schema.ts";
import { hasSecrets, hiddenMember, mapObjects } from "./in-fields.ts";

// The API has no place for the version of a secret, so the description of the resource ends with it, or the name of one without.
const suffix = / ?\[secret version (?<version>[^\]]*)\]$/;

function keeperOf({ properties = {} }: FieldSchema): "description" | "name" {
  return properties["description"] ? "description" : "name";
}

/** A text without the version of a secret at its end. */
export function withoutVersionSuffix(text: string | undefined): string | undefined {
  return text?.replace(suffix, "");
}

/** Fields in request form with the version of their secrets in a description or name; without one, unchanged. */
export function withVersionSuffix(schema: FieldSchema, fields: Fields): Fields {
  const ofElements: string[] = [];
  const bare = mapObjects(schema, fields, [], (inside, object, path) => {
    if (!isSecretElement(inside, object)) return object;
    const { version, ...others } = object;
    if (typeof version === "string" && version !== "") ofElements.push(pairOf([keyIn(path), version]));
    return others;
  });
  const ofFields = versionsIn(schema, bare);
  const isOne = new Set(ofFields.map(([, version]) => version)).size === 1;
  const version =
    ofElements.length > 0 ? ofElements.join(" ") : isOne ? ofFields[0]?.[1] : ofFields.map(pairOf).join(" ");
  if (version === undefined || version === "") return bare;
  const keeper = keeperOf(schema);
  return { ...bare, [keeper]: `${textIn(bare, keeper) ?? ""} [secret version ${version}]`.trimStart() };
}

/** A response with an object for each secret that it has, and with the versions that its description or name ends with. */
export function withSecretsShown(schema: FieldSchema, response: Fields): Fields {
  if (!hasSecrets(schema)) return response;
  const keeper = keeperOf(schema);
  const text = textIn(response, keeper);
  const version = suffix.exec(text ?? "")?.groups?.["version"];
  const pairs = new Map(version?.split(" ").map((pair) => pair.split("=", 2) as [string, string]));
  const ofKey = (key: string) => decodeURIComponent(pairs.get(encodeURIComponent(key)) ?? "");
  const shown = shownIn(schema, response, (member) =>
    version === undefined ? {} : { version: ofKey(member) || version },
  );
  const suffixed = mapObjects(schema, shown, [], (inside, object, path) =>
    isSecretElement(inside, object) ? { ...object, version: ofKey(keyIn(path)) } : object,
  );
  return version === undefined ? suffixed : { ...suffixed, [keeper]: withoutVersionSuffix(text) ?? "" };
}

/** The key of an element at the end of a path: of `[password]`, the word in the brackets. */
function keyIn(path: readonly string[]): string {
  return path.at(-1)?.slice(1, -1) ?? "";
}

/** Whether an element of a list says that the API hides its value. */
function isSecretElement(schema: FieldSchema, object: Fields): boolean {
  return !schema.secret && hiddenMember(schema, object) !== undefined;
}

function shownIn(schema: FieldSchema, response: Fields, secretOf: (member: string) => Fields): Fields {
  const result: Fields = { ...response };
  for (const [member, inner] of Object.entries(schema.properties ?? {})) {
    const value = own(response, member);
    if (inner.secret) {
      if (isThere(inner, response)) result[member] = secretOf(member);
      else delete result[member];
    } else if (hasMembers(inner) && !inner.part && isFields(value))
      result[member] = shownIn(inner, value, secretOf);
  }
  return result;
}

function isThere({ shownBy }: FieldSchema, beside: Fields): boolean {
  const sign: Json = shownBy === undefined ? true : (own(beside, shownBy) ?? false);
  return sign !== false && sign !== "";
}

/** A key and its version, as a suffix that has several says it. */
function pairOf(pair: readonly [string, string]): string {
  return pair.map(encodeURIComponent).join("=");
}

function versionsIn(schema: FieldSchema, fields: Fields): [string, string][] {
  return Object.entries(fields).flatMap(([member, value]): [string, string][] => {
    const inner = memberOf(schema, member);
    if (!inner || inner.part || !isFields(value)) return [];
    if (!inner.secret) return versionsIn(inner, value);
    const version = textIn(value, "version");
    return version === undefined || version === "" ? [] : [[member, version]];
  });
}
