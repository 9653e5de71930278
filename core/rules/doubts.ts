import { withoutCredentials } from "../redaction/credential-forms.ts";
import { isFields, type Fields, type Json } from "../values/json.ts";
import type { Kind } from "../model/kinds/index.ts";
import { elementLabel } from "../model/schema/elements.ts";
import { field, type Message, say } from "../problems/say.ts";
import { oddCharacters, unfilledText } from "../source/stand-ins.ts";
import { doubtOfNumber, textDoubts } from "../model/schema/doubts.ts";
import { type FieldSchema, memberOf } from "../model/schema/field-schema.ts";

export interface DoubtfulValue {
  path: string[];
  /** A sentence about the value, with its probable meaning. */
  message: Message;
}

/** The valid but improbable values of a document: CPU in cores, a tag in an image; `live`: the other fields, undefined: unknown. */
export function doubtsIn(kind: Kind, name: string, declared: Fields, live?: Fields): DoubtfulValue[] {
  const found: DoubtfulValue[] = unfilledAt(["name"], name);
  visit(kind.fields, declared, [], found);
  const own = live && kind.doubt?.(name, declared, live);
  return own ? [...found, { path: [own.field], message: say`${field([own.field])}: ${own.message}` }] : found;
}

function visit(schema: FieldSchema, value: Json, path: string[], found: DoubtfulValue[]): void {
  const { unit, doubt, items, opaque, properties } = schema;
  if ((opaque && !properties) || value === null) return;
  const shown = typeof value === "string" ? withoutCredentials(value) : value;
  const why =
    typeof value === "number" && unit !== undefined
      ? doubtOfNumber(value, unit)
      : typeof shown === "string" && doubt !== undefined
        ? textDoubts[doubt](shown)
        : undefined;
  if (why !== undefined) found.push({ path, message: say`${field(path)}: ${JSON.stringify(shown)} ${why}` });
  if (typeof value === "string") found.push(...unfilledAt(path, value));
  if (isFields(value))
    for (const [member, inner] of Object.entries(value))
      visit(memberOf(schema, member) ?? {}, inner, [...path, member], found);
  else if (items && Array.isArray(value))
    for (const element of value)
      visit(items, element, [...path, `[${elementLabel(schema, element)}]`], found);
}

/** A hardly filled in text, or one with invisible characters. It is not quoted: it may be beside a secret. */
function unfilledAt(path: string[], text: string): DoubtfulValue[] {
  const unfilled = unfilledText(text);
  const odd = unfilled === undefined ? oddCharacters(text) : [...oddCharacters(text), unfilled];
  const named = path.length > 1 && path.at(-1) === "value" ? path.slice(0, -1) : path;
  return odd.length === 0 ? [] : [{ path, message: say`${field(named)} ${odd.join(", ")}` }];
}
