import { codeOf } from "../values/error-code.ts";
import { escapeControl, shorten } from "../values/text.ts";

const LONGEST_MESSAGE = 500;

/** Takes a text's secrets out. */
export type Redact = (text: string) => string;

export const tokenPlaceholder = "[token]";
/** Forms and pieces of a shorter token would also occur in unrelated text. */
export const SHORTEST_WITH_FORMS = 8;
const SHORTEST_WITH_HALVES = 16;
/** A shorter beginning is also that of other words. */
const SHORTEST_BEGINNING = 4;

export function holdsToken(text: string, token: string): boolean {
  return text.trim() === token || (token.length >= SHORTEST_WITH_FORMS && text.includes(token));
}

/**
 * Replaces the token in whatever text is to be seen, in any case: as it is, without the blanks around it, as a URL, HTML or a
 * JSON text would have it, backwards, in hexadecimals, in base64, also as a part of a longer base64, each of its lines, and any
 * half of these, and the beginning of one that an ellipsis cuts off.
 */
export function redactor(token: string, placeholder = tokenPlaceholder): Redact {
  const bare = token.trim() === "" ? token : token.trim();
  const forms = formsOf(bare);
  const pieces = forms.filter(({ length }) => length >= SHORTEST_WITH_HALVES);
  let escaped: readonly RegExp[] | undefined;
  return (text) => {
    // The longest first: one form may begin another.
    let shown = forms.reduce((rest, form) => withoutWhole(rest, form, placeholder), text);
    if (/[\\%&]/.test(shown)) {
      escaped ??= patternsOf(bare);
      shown = escaped.reduce((rest, pattern) => rest.replaceAll(pattern, () => placeholder), shown);
    }
    // Whole forms first: the beginning of one may be a half of another.
    shown = pieces.reduce((rest, form) => withoutPieces(rest, form, placeholder), shown);
    return shown.includes("…") ? withoutBeginnings(shown, forms, placeholder) : shown;
  };
}

function formsOf(bare: string): string[] {
  const plain = [bare, encodeURIComponent(bare.toWellFormed()), JSON.stringify(bare).slice(1, -1)];
  const lines = bare.split(/[\r\n]+/).map((line) => line.trim());
  const forms =
    bare.length < SHORTEST_WITH_FORMS
      ? plain
      : [
          ...plain,
          [...bare].toReversed().join(""),
          Buffer.from(bare).toString("hex"),
          ...base64Forms(bare),
          ...lines.filter((line) => line.length >= SHORTEST_WITH_FORMS),
        ];
  return [...new Set(forms)].toSorted((one, other) => other.length - one.length);
}

function withoutWhole(text: string, form: string, placeholder: string): string {
  const sought = inOneCase(form);
  if (sought === "") return text;
  const seen = inOneCase(text);
  let result = "";
  let end = 0;
  for (let at = seen.indexOf(sought); at !== -1; at = seen.indexOf(sought, end)) {
    result += text.slice(end, at) + placeholder;
    end = at + sought.length;
  }
  return end === 0 ? text : result + text.slice(end);
}

/** Characters in a pattern: engines refuse patterns of more than some thousands. */
const longestPattern = 200;

/** Patterns that match a text of which any characters are escaped; a long one in pieces. */
function patternsOf(bare: string): RegExp[] {
  const characters = [...bare];
  return Array.from({ length: Math.ceil(characters.length / longestPattern) }, (_, index) => {
    const piece = characters.slice(index * longestPattern, (index + 1) * longestPattern);
    return piece.length < Math.min(SHORTEST_WITH_FORMS, characters.length)
      ? []
      : [new RegExp(piece.map((char) => patternOf(char)).join(""), "giu")];
  }).flat();
}

/** A character as it is, and escaped in the ways of URLs, JSON, HTML and of programs. */
function patternOf(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  const hex = code.toString(16).padStart(2, "0");
  const escaped = [
    String.raw`\\?${literal(char)}`,
    `%${hex}`,
    String.raw`\\[ux]0*${hex}`,
    `&#0*${code};?`,
    `&#x0*${hex};?`,
    ...(Object.hasOwn(entities, char) ? [`&${entities[char]};`] : []),
  ];
  return `(?:${escaped.join("|")})`;
}

/** A pattern that matches a character alone. */
function literal(char: string): string {
  return String.raw`\u{${(char.codePointAt(0) ?? 0).toString(16)}}`;
}

const entities: Record<string, string> = { "&": "amp", "<": "lt", ">": "gt", '"': "quot", "'": "apos" };

/** The base64 forms at each alignment, in both alphabets, without characters that depend on neighbouring text. */
function base64Forms(token: string): string[] {
  const bytes = Buffer.from(token);
  return [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]);
    // A character has six bits; the first and the last may share theirs with what stands beside the token.
    const first = Math.ceil((before * 8) / 6);
    const end = Math.floor(((before + bytes.length) * 8) / 6);
    return (["base64", "base64url"] as const).flatMap((alphabet) => {
      const inside = encoded.toString(alphabet).slice(first);
      // At the end of a text, the last character is the token's, and padding may follow.
      return [inside, inside.replace(/=+$/, ""), inside.slice(0, end - first)];
    });
  });
}

/** Removes from a text every piece, in any case, that contains at least half of a form. */
function withoutPieces(text: string, form: string, placeholder: string): string {
  const half = Math.floor(form.length / 2);
  // Every piece of that length has one of these blocks whole.
  const size = Math.floor((half + 1) / 2);
  const sought = inOneCase(form);
  let [result, seen] = [text, inOneCase(text)];
  for (let block = 0; block + size <= sought.length; block += size) {
    const needle = sought.slice(block, block + size);
    for (let at = seen.indexOf(needle); at !== -1;) {
      let [start, end] = [at, at + size];
      while (start > 0 && at - start < block && seen[start - 1] === sought[block - (at - start) - 1])
        start -= 1;
      while (end < seen.length && block + end - at < sought.length && seen[end] === sought[block + end - at])
        end += 1;
      const isPiece = end - start >= half;
      if (isPiece) {
        result = `${result.slice(0, start)}${placeholder}${result.slice(end)}`;
        seen = `${seen.slice(0, start)}${placeholder}${seen.slice(end)}`;
      }
      at = seen.indexOf(needle, isPiece ? start + placeholder.length : at + 1);
    }
  }
  return result;
}

/** The text without the beginnings of forms that stand before an ellipsis: of several, the longest. */
function withoutBeginnings(text: string, forms: readonly string[], placeholder: string): string {
  const parts = text.split("…");
  const last = parts.pop() ?? "";
  const shown = parts.map((part) => {
    const length = Math.max(...forms.map((form) => beginningAtEnd(part, form)));
    return length === 0 ? part : part.slice(0, -length) + placeholder;
  });
  return [...shown, last].join("…");
}

/** The length of the beginning of a form with which a text ends; 0 where it is too short. */
function beginningAtEnd(text: string, form: string): number {
  let length = Math.min(form.length, text.length);
  while (length >= SHORTEST_BEGINNING && !text.endsWith(form.slice(0, length))) length -= 1;
  return length < SHORTEST_BEGINNING ? 0 : length;
}

function inOneCase(text: string): string {
  const lower = text.toLowerCase();
  // A few characters of some scripts have two in lower case.
  return lower.length === text.length ? lower : text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** A cause without got's request and its headers, and without the server's words in messages about certificates. */
export function plainCause(error: unknown, redact: Redact): Error {
  if (!(error instanceof Error)) return new Error(redact(String(error)));
  const code = redact(codeOf(error) ?? "");
  // A refusal at several addresses has no message of its own.
  const message = shorten(escapeControl(redact(error.message)), LONGEST_MESSAGE);
  const plain = new Error(message || code || error.name);
  plain.name = error.name;
  plain.stack = `${plain.name}: ${plain.message}`;
  return code === "" ? plain : Object.assign(plain, { code });
}
