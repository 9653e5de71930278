import { placeholder } from "../redaction/credential-forms.ts";
import { credentialInText, credentialInWord, valueMembers } from "../redaction/credentials-in-values.ts";
import type { FieldChange } from "../model/fields/compare.ts";
import { type KnownCredentials, mayHavePassword } from "../redaction/known-credentials.ts";
import { type Fields, isFields, type Json, mapFields, sameJson, textIn } from "../values/json.ts";
import type { Kind } from "../model/kinds/index.ts";
import { declaredParts } from "../model/parts/index.ts";
import { field, type Message, say } from "../problems/say.ts";
import { type FieldSchema, memberOf, schemaAt } from "../model/schema/field-schema.ts";
import { hiddenMember } from "../secrets/index.ts";

/** A sentence about the texts of a resource that look like credentials, with advice. */
export function credentialText(kind: Kind, found: readonly OpenCredential[]): Message {
  const texts = found.flatMap(
    ({ path, what }, index) => say`${index === 0 ? "" : ", "}${field(path)} (${what})`,
  );
  return declaredParts(kind).some(({ form }) => form.isWriteOnly)
    ? say`${texts}: everyone who sees the environment can read the value; declare it under secrets`
    : say`${texts}: everyone who sees the resource can read the value; leave the value out, or revoke the credential`;
}

/** A text of a resource that looks like a credential. Never its value. */
export interface OpenCredential {
  path: string[];
  what: string;
}

/** All texts of a resource that look like credentials: values of variables, arguments, URLs, descriptions. */
export function openCredentials(kind: Kind, declared: Fields, known?: KnownCredentials): OpenCredential[] {
  const found: OpenCredential[] = [];
  changeTexts(kind, [], declared, known, (text, { path, what }) => {
    const isEntry = memberOf(kind.fields, path[0] ?? "")?.entries !== undefined;
    found.push({ path: isEntry ? path.slice(0, 2) : path, what });
    return text;
  });
  return found;
}

/** The lines of a value in a resource that look like credentials. */
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

/** Whether a value may contain a password: not in texts of a fixed form. */
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

/** A shorter line, such as that of a bracket, occurs in texts without a credential. */
const shortestLine = 4;

/** A value in a resource as output shows it: a placeholder replaces each credential. */
export function shownValue<Value extends Json | undefined>(
  kind: Kind,
  path: readonly string[],
  value: Value,
  known?: KnownCredentials,
): Value {
  if (value === undefined) return value;
  return changeTexts(kind, path, value, known, (_text, { shown }) => shown) as Value;
}

/** A change as output shows it. The placeholder tells whether another credential replaces one. */
export function shownChange(kind: Kind, whole: FieldChange, known?: KnownCredentials): FieldChange {
  const before = shownValue(kind, whole.path, whole.before, known);
  const after = shownValue(kind, whole.path, whole.after, known);
  if (before === whole.before && after === whole.after) return whole;
  const isAnother = sameJson(before, after) && !sameJson(whole.before, whole.after);
  return { ...whole, before, after: isAnother && after !== undefined ? withOtherPlaceholder(after) : after };
}

function withOtherPlaceholder(value: Json): Json {
  if (typeof value === "string") return value.replaceAll(placeholder, "[another credential]");
  if (Array.isArray(value)) return value.map(withOtherPlaceholder);
  return isFields(value) ? mapFields(value, withOtherPlaceholder) : value;
}

/** @param found `shown`: the text with a placeholder in place of each credential */
type ChangeText = (text: string, found: OpenCredential & { shown: string }) => string;

/** Changes the texts of a value in a resource that look like credentials. */
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

/** Whether the API shows a member in place of the secret beside it: the id of a key, which is no credential. */
function isIdOfSecret({ properties = {} }: FieldSchema, member: string): boolean {
  return Object.values(properties).some(({ shownBy }) => shownBy === member);
}

/** The name of a member's value; undefined for a name of the API. */
function nameOf(member: string, around: FieldSchema = {}, name?: string): string | undefined {
  if (around.entries || around.opaque) return member;
  return valueMembers.has(member) ? name : undefined;
}

/** How texts are changed, and known credentials of any form. */
interface Change {
  each: ChangeText;
  known: KnownCredentials | undefined;
}

/** @param name of the value */
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
