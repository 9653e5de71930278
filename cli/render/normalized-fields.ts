import { type FieldChange, formatPath } from "../../core/model/fields/compare.ts";
import { rewritingSigns } from "../../core/model/fields/normalization.ts";
import type { NormalizedField } from "../../core/model/fields/normalized-fields.ts";
import type { Json } from "../../core/values/json.ts";
import { escapeControl, inSentence, shorten } from "../../core/values/text.ts";
import { inline, readable } from "./values.ts";

/**
 * A warning of changes that the server may not keep, with advice; undefined when there is no sign of that. Such a
 * change may also be a real one.
 */
export function doubtText(changes: readonly FieldChange[]): string | undefined {
  const doubted = changes.flatMap(({ path, normalized }) =>
    normalized === undefined ? [] : [`${show(path)} (${rewritingSigns[normalized]})`],
  );
  if (doubted.length === 0) return undefined;
  const [value, field] = doubted.length === 1 ? ["the value", "the field"] : ["the values", "the fields"];
  return `the server may not keep ${inSentence(doubted)}. If the next plan shows this change again, the server does not keep ${value}, and another apply will not change that: write ${value} as the server has ${doubted.length === 1 ? "it" : "them"}, or list ${field} in manage.ignore`;
}

/** A warning of values that the server has changed; undefined when there are none. */
export function normalizedText(normalized: readonly NormalizedField[] = []): string | undefined {
  if (normalized.length === 0) return undefined;
  const fields = normalized.map(({ path, sent, kept }) =>
    kept === undefined && sent !== undefined
      ? `the answer of the server does not have ${show(path)}`
      : `the server kept ${short(kept)} instead of ${short(sent)} for ${show(path)}`,
  );
  return `${inSentence(fields)}; the next plan will show ${normalized.length === 1 ? "it" : "them"} again`;
}

function show(path: readonly string[]): string {
  return escapeControl(formatPath(path));
}

function short(value: Json | undefined): string {
  return shorten(inline(value === undefined ? undefined : readable(value)), 60);
}
