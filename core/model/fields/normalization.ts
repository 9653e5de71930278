import { isFields, type Json, mapFields, sameJson, stableJson } from "../../values/json.ts";

/**
 * A way in which a server changes a value that it receives: it removes white space, changes case, reorders a list,
 * respells a name, or does not keep the value, as far as its answers show. That it rounds a number, only the answer to
 * the write can show: between two numbers that are near each other, most differences are changes that somebody has
 * made.
 */
export const rewritings = ["white_space", "letter_case", "order", "spelling", "not_shown"] as const;
export type Normalization = (typeof rewritings)[number];

/** The sign that a server changes a value so. */
export const rewritingSigns: Readonly<Record<Normalization, string>> = {
  white_space: "only white space differs",
  letter_case: "only upper and lower case differ",
  order: "only the order differs",
  spelling: "the server may change the spelling of names",
  not_shown: "the server has not shown it",
};

/** The way in which a server may have turned the wanted value into the live one; undefined when that is unlikely. */
export function rewriting(live: Json, wanted: Json): Normalization | undefined {
  if (sameJson(live, wanted)) return undefined;
  const spaced = [live, wanted].map((value) => eachText(value, withoutSpace));
  if (sameJson(spaced[0], spaced[1])) return "white_space";
  for (const change of [lower, upper])
    if (sameJson(spaced[0], eachText(spaced[1] ?? null, change))) return "letter_case";
  return sameJson(inOrder(live), inOrder(wanted)) ? "order" : undefined;
}

const withoutSpace = (text: string): string => text.trim().replaceAll(/\s+/g, " ");
const lower = (text: string): string => text.toLowerCase();
const upper = (text: string): string => text.toUpperCase();

function eachText(value: Json, change: (text: string) => string): Json {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((element) => eachText(element, change));
  return isFields(value) ? mapFields(value, (inner) => eachText(inner, change)) : value;
}

/** The value with all lists sorted. */
function inOrder(value: Json): Json {
  if (Array.isArray(value))
    return value
      .map((element) => inOrder(element))
      .toSorted((left, right) => (stableJson(left) < stableJson(right) ? -1 : 1));
  return isFields(value) ? mapFields(value, inOrder) : value;
}
