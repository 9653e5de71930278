import { isFields } from "../json.ts";
import { escapeControl, shorten } from "../text.ts";
import type { Redact } from "./redact.ts";

const LONGEST_MESSAGE = 500;
const LONGEST_EXCERPT = 200;
// The text that is cut off here is far behind the end of the excerpt, even when a long token is removed from it.
const EXCERPT_SOURCE = 64 * 1024;

// Answers have a dozen levels. A value nearly as deep as the stack would crash the process later.
const DEEPEST = 100;

/** The value of a JSON text in UTF-8, or undefined for anything else: empty, cut off, a page of a proxy, an abyss. */
export function parseJson(body: Buffer): { value: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
    return isDeeper(value, DEEPEST) ? undefined : { value };
  } catch {
    return undefined;
  }
}

function isDeeper(value: unknown, than: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (than === 0) return true;
  for (const inner of Object.values(value)) if (isDeeper(inner, than - 1)) return true;
  return false;
}

/** The words of the server for the end of a message: its `message`, else the beginning of the body. */
export function serverWords(body: Buffer, redact: Redact): string {
  const value = parseJson(body)?.value;
  const fields = isFields(value) ? [value["message"], value["error"]] : [];
  const message = fields.find((text) => typeof text === "string" && text !== "");
  const [words, longest] =
    typeof message === "string"
      ? [message, LONGEST_MESSAGE]
      : [body.toString("utf8", 0, EXCERPT_SOURCE).trim(), LONGEST_EXCERPT];
  // Redact first: a token that is cut in two would not be recognised.
  return words === "" ? "" : ` The server says: "${shorten(escapeControl(redact(words)), longest)}"`;
}
