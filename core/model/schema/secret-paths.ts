import { isFields, type Json, valueAt } from "../../values/json.ts";
import type { DocumentMistake, Path } from "../../source/mistake.ts";
import { withoutWords, wordsIn } from "../../source/secret-places.ts";
import { type FieldSchema, memberOf } from "./field-schema.ts";
import { nearest } from "./suggest.ts";

/** A mistake without the texts of a secret: in a wrong form, the value may be anywhere. */
export function withoutSecretTexts(
  schema: FieldSchema,
  document: Json,
  mistake: DocumentMistake,
): DocumentMistake {
  const found = secretOn(schema, mistake.path);
  if (!found) return mistake;
  const { root, schema: its, entries } = found;
  const key = String(root.at(-1) ?? "");
  // The keys of entries are names, if they are keys at all.
  const isName = !entries?.keys || new RegExp(entries.keys.pattern, "u").test(key);
  const words = [
    ...textsIn(its, valueAt(document, root) ?? null).flatMap(wordsIn),
    ...(isName ? [] : wordsIn(key)),
  ];
  const hide = (sentence: string) => withoutWords(words, sentence);
  const isUnknown = mistake.at === "key" && words.includes(String(mistake.path.at(-1)));
  return {
    ...mistake,
    message: hide(mistake.message),
    advice: hide(mistake.advice),
    ...((isUnknown || !isName) && { hidesKey: true }),
  };
}

function secretOn(
  schema: FieldSchema,
  path: Path,
): { root: Path; schema: FieldSchema; entries?: FieldSchema } | undefined {
  let around = schema;
  for (const [index, part] of path.entries()) {
    const at = typeof part === "number" ? (around.items ?? around.entries) : memberOf(around, part);
    if (!at) return undefined;
    const root = path.slice(0, index + 1);
    const next = path[index + 1];
    if (isSecretEntry(at)) return { root, schema: at, ...(around.entries && { entries: around }) };
    if (at.entries && isSecretEntry(at.entries) && next === undefined) return { root, schema: at };
    // Something else in place of an object with a possible secret.
    const isOpen = next === undefined || memberOf(at, String(next)) === undefined;
    if (isOpen && Object.values(at.properties ?? {}).some(({ hiddenWhen }) => hiddenWhen !== undefined))
      return { root, schema: at };
    around = at;
  }
  return undefined;
}

function isSecretEntry({ secret, mayHoldToken, hiddenWhen, properties = {} }: FieldSchema): boolean {
  const isHidden = secret === true || mayHoldToken === true || hiddenWhen !== undefined;
  return isHidden || Object.values(properties).some(({ neverShown }) => neverShown);
}

/** The texts and numbers in a value, and its unknown keys. A misspelt member is no secret. */
function textsIn(schema: FieldSchema, value: Json): string[] {
  if (typeof value === "string" || typeof value === "number") return [String(value)];
  if (Array.isArray(value)) return value.flatMap((each) => textsIn(schema.items ?? {}, each));
  if (!isFields(value)) return [];
  const known = Object.keys(schema.properties ?? {});
  return Object.entries(value).flatMap(([member, inner]) => [
    ...(known.includes(member) || nearest(member, known) !== undefined || schema.entries ? [] : [member]),
    ...textsIn(memberOf(schema, member) ?? {}, inner),
  ]);
}
