import { mark } from "../redaction/credential-forms.ts";
import { credentialInText, credentialInWord, valueMembers } from "../redaction/credentials-in-values.ts";
import type { FieldChange } from "../model/fields/compare.ts";
import { type KnownCredentials, mayHavePassword } from "../redaction/known-credentials.ts";
import { type Fields, isFields, type Json, mapFields, sameJson, textIn } from "../values/json.ts";
import type { Kind } from "../model/kinds/index.ts";
import { statedParts } from "../model/parts/index.ts";
import { field, type Message, say } from "../problems/say.ts";
import { type FieldSchema, memberOf, schemaAt } from "../model/schema/field-schema.ts";
import { hiddenMember } from "../secrets/index.ts";

/** The texts of a resource that look like credentials, why they should not be there, and what to do. */
export function credentialText(kind: Kind, found: readonly OpenCredential[]): Message {
  const texts = found.flatMap(
    ({ path, what }, index) => say`${index === 0 ? "" : ", "}${field(path)} (${what})`,
  );
  return secretMembers(kind).length > 0
    ? say`${texts}: everyone who sees the environment can read the value; declare it under secrets`
    : say`${texts}: everyone who sees the resource can read the value; leave it out, or make it invalid where it comes from`;
}

function secretMembers(kind: Kind): string[] {
  return statedParts(kind).flatMap(({ member, form }) => (form.isWriteOnly ? [member] : []));
}

/** A text of a resource that looks like a credential. Never its value. */
export interface OpenCredential {
  path: string[];
  what: string;
}

/** All texts of a resource that look like credentials: values of variables, arguments, URLs, descriptions and the like. */
export function openCredentials(kind: Kind, stated: Fields, known?: KnownCredentials): OpenCredential[] {
  const found: OpenCredential[] = [];
  changeTexts(kind, [], stated, known, (text, { path, what }) => {
    const isEntry = memberOf(kind.fields, path[0] ?? "")?.entries !== undefined;
    found.push({ path: isEntry ? path.slice(0, 2) : path, what });
    return text;
  });
  return found;
}

/** The lines of a value at a place of a resource that have what looks like a credential in them. */
export function credentialLines(
  kind: Kind,
  path: readonly string[],
  value: Json = null,
  known?: KnownCredentials,
): string[] {
  const found: string[] = [];
  changeTexts(kind, path, value, known, (text, { shown }) => {
    const open = new Set(shown.split("\n"));
    found.push(...text.split("\n").filter((line) => line.trim().length >= shortestLine && !open.has(line)));
    return text;
  });
  return found;
}

/** Whether one of some values has a text in it that could be a password: not where the form of a text is fixed. */
export function mayHavePasswords(schema: FieldSchema, value: Json | undefined): boolean {
  const { reference, sibling, format, minLength, items = {} } = schema;
  if (reference !== undefined || sibling !== undefined || schema.enum) return false;
  if (typeof value === "string")
    return format === undefined && minLength === undefined && mayHavePassword(value);
  if (Array.isArray(value)) return value.some((each) => mayHavePasswords(items, each));
  return (
    isFields(value) &&
    Object.entries(value).some(([member, each]) => mayHavePasswords(memberOf(schema, member) ?? {}, each))
  );
}

/** A shorter line, such as that of a bracket, stands in texts without a credential. */
const shortestLine = 4;

/** A value at a place of a resource as people see it: a mark stands in the place of each credential. */
export function shownValue<Value extends Json | undefined>(
  kind: Kind,
  path: readonly string[],
  value: Value,
  known?: KnownCredentials,
): Value {
  if (value === undefined) return value;
  return changeTexts(kind, path, value, known, (_text, { shown }) => shown) as Value;
}

/** A change as people see it. The mark says where another credential stands in the same place. */
export function shownChange(kind: Kind, whole: FieldChange, known?: KnownCredentials): FieldChange {
  const before = shownValue(kind, whole.path, whole.before, known);
  const after = shownValue(kind, whole.path, whole.after, known);
  if (before === whole.before && after === whole.after) return whole;
  const isAnother = sameJson(before, after) && !sameJson(whole.before, whole.after);
  return { ...whole, before, after: isAnother && after !== undefined ? withOtherMark(after) : after };
}

function withOtherMark(value: Json): Json {
  if (typeof value === "string") return value.replaceAll(mark, "[another credential]");
  if (Array.isArray(value)) return value.map(withOtherMark);
  return isFields(value) ? mapFields(value, withOtherMark) : value;
}

/** @param found `shown`: the text with a mark in the place of each credential */
type ChangeText = (text: string, found: OpenCredential & { shown: string }) => string;

/** Changes the texts of a value at a place of a resource that look like credentials. */
function changeTexts(
  kind: Kind,
  path: readonly string[],
  value: Json,
  known: KnownCredentials | undefined,
  each: ChangeText,
): Json {
  const [first] = path;
  if (first === undefined)
    return isFields(value)
      ? mapFields(value, (inner, member) => changeTexts(kind, [member], inner, known, each))
      : value;
  let name: string | undefined;
  for (const [depth, part] of path.entries()) {
    const around = schemaAt(kind.fields, path.slice(0, depth));
    if (around && isIdOfSecret(around, part)) return value;
    name = part.startsWith("[") ? part.slice(1, -1) : nameOf(part, around, name);
  }
  return changeIn(schemaAt(kind.fields, path) ?? {}, value, [...path], name, { each, known });
}

/** Whether a member is what the API shows in the place of the secret beside it: the id of a key, which is no credential. */
function isIdOfSecret({ properties = {} }: FieldSchema, member: string): boolean {
  return Object.values(properties).some(({ shownBy }) => shownBy === member);
}

/** What the value of a member is called; undefined for a member that the API has named. */
function nameOf(member: string, around: FieldSchema = {}, name?: string): string | undefined {
  if (around.entries || around.opaque) return member;
  return valueMembers.has(member) ? name : undefined;
}

/** How texts are changed, and what is known to be a credential, whatever it looks like. */
interface Change {
  each: ChangeText;
  known: KnownCredentials | undefined;
}

/** @param name what the value is called */
function changeIn(
  schema: FieldSchema,
  value: Json,
  path: string[],
  name: string | undefined,
  change: Change,
): Json {
  const known = schema.enum || schema.reference || schema.sibling ? undefined : change.known;
  if (typeof value === "string") {
    const found = credentialInText(value, known, name);
    return found ? change.each(value, { path, ...found }) : value;
  }
  if (Array.isArray(value)) {
    const items = schema.items ?? {};
    const changed = value.map((inner, index) => {
      const at = [...path, String(index)];
      const found = typeof inner === "string" ? credentialInWord(value, index, known) : undefined;
      return found && typeof inner === "string"
        ? change.each(inner, { path: at, ...found })
        : changeIn(items, inner, at, undefined, change);
    });
    return changed.every((inner, index) => inner === value[index]) ? value : changed;
  }
  if (!isFields(value)) return value;
  const hidden = hiddenMember(schema, value);
  const called = textIn(value, "key") ?? textIn(value, "name") ?? name;
  return mapFields(value, (inner, member) => {
    if (member === hidden || isIdOfSecret(schema, member)) return inner;
    const isPut = value["interpolate"] === true;
    const its = isPut ? undefined : nameOf(member, schema, called);
    return changeIn(memberOf(schema, member) ?? {}, inner, [...path, member], its, change);
  });
}
