import type { Json } from "../json.ts";

/**
 * The value of an unquoted text, by the core schema of YAML 1.2; undefined where only the parser can tell, as for a
 * number in an unusual notation.
 */
export function plainScalar(text: string): Json | undefined {
  if (/^[A-Za-z]/.test(text)) {
    const constant = constants.get(text);
    return constant === undefined ? text : constant;
  }
  if (/^(?:0|-?[1-9]\d{0,14})$/.test(text)) return Number(text);
  if (/^-?\d{1,9}\.\d{1,6}$/.test(text)) return Number(text);
  return text === "~" || numberLike.test(text) ? undefined : text;
}

const constants: ReadonlyMap<string, Json> = new Map<string, Json>([
  ...["null", "Null", "NULL"].map((text) => [text, null] as const),
  ...["true", "True", "TRUE"].map((text) => [text, true] as const),
  ...["false", "False", "FALSE"].map((text) => [text, false] as const),
]);

const numberLike = /^(?:[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:e[-+]?\d+)?|0[ox][\da-f]+|[-+]?\.(?:inf|nan))$/i;

/** The text in quotes on one line, and what follows it; undefined for other forms, such as unusual escapes. */
export function quotedScalar(text: string): { value: string; rest: string } | undefined {
  const [whole = "", double, single] = quoted.exec(text) ?? [];
  const rest = text.slice(whole.length);
  if (double !== undefined) return { value: double.includes("\\") ? unescaped(double) : double, rest };
  return single === undefined ? undefined : { value: single.replaceAll("''", "'"), rest };
}

const quoted = /^(?:"((?:[^"\\]|\\["\\nt])*)"|'((?:[^']|'')*)')/;

function unescaped(text: string): string {
  return text.replaceAll(/\\(.)/g, (_escape, character: string) =>
    character === "n" ? "\n" : character === "t" ? "\t" : character,
  );
}

/** Without the spaces at its end. YAML counts other white space as text. */
export function withoutEnd(text: string): string {
  return text.endsWith(" ") ? text.replace(/ +$/, "") : text;
}
