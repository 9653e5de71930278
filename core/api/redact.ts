import { escapeControl, shorten } from "../text.ts";

const LONGEST_MESSAGE = 500;

/** Takes a text's secrets out. */
export type Redact = (text: string) => string;

const MARK = "[token]";
// Forms and pieces of a shorter token would be found in what has nothing to do with it.
const SHORTEST_WITH_FORMS = 8;
const SHORTEST_WITH_HALVES = 16;

/** Whether a text is a token, or has it in it. */
export function holdsToken(text: string, token: string): boolean {
  return text.trim() === token || (token.length >= SHORTEST_WITH_FORMS && text.includes(token));
}

/**
 * Replaces the token in whatever text is to be seen: as it is, as a URL, HTML or a JSON text would have it, in base64,
 * also as a part of a longer base64, and any half of these.
 */
export function redactor(token: string, mark = MARK): Redact {
  const whole = new RegExp([...token].map((char) => patternOf(char)).join(""), "gu");
  const plain = [token, encodeURIComponent(token), JSON.stringify(token).slice(1, -1)];
  const forms = token.length < SHORTEST_WITH_FORMS ? plain : [...plain, ...base64Forms(token)];
  return (text) => {
    const without = forms.reduce(
      (result, form) => result.replaceAll(form, () => mark),
      text.replaceAll(whole, () => mark),
    );
    // Whole forms first: the beginning of one may be a half of another.
    return forms
      .filter(({ length }) => length >= SHORTEST_WITH_HALVES)
      .reduce((result, form) => withoutPieces(result, form, mark), without);
  };
}

/** A character as it is, and escaped in the ways of URLs, JSON and HTML. */
function patternOf(char: string): string {
  const hex = (char.codePointAt(0) ?? 0).toString(16).padStart(2, "0");
  const anyCase = [...hex].map((digit) => `[${digit}${digit.toUpperCase()}]`).join("");
  const escaped = [
    String.raw`\\?\u{${hex}}`,
    `%${anyCase}`,
    String.raw`\\u0*${anyCase}`,
    `&#0*${char.codePointAt(0)};?`,
    `&#[xX]0*${anyCase};?`,
    ...(Object.hasOwn(entities, char) ? [`&${entities[char]};`] : []),
  ];
  return `(?:${escaped.join("|")})`;
}

const entities: Record<string, string> = { "&": "amp", "<": "lt", ">": "gt", '"': "quot", "'": "apos" };

/**
 * The base64 forms of the token at each of the three alignments, in both alphabets, without characters that depend on
 * neighbouring text.
 */
function base64Forms(token: string): string[] {
  const bytes = Buffer.from(token);
  return [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]);
    // A character has six bits; the first and the last may share theirs with what stands beside the token.
    const first = Math.ceil((before * 8) / 6);
    const end = Math.floor(((before + bytes.length) * 8) / 6);
    return (["base64", "base64url"] as const).map((alphabet) => encoded.toString(alphabet).slice(first, end));
  });
}

/** Removes from a text every piece that contains at least half of a form. */
function withoutPieces(text: string, form: string, mark: string): string {
  const half = Math.floor(form.length / 2);
  // Every piece of that length has one of these blocks whole.
  const size = Math.floor((half + 1) / 2);
  let result = text;
  for (let block = 0; block + size <= form.length; block += size) {
    const needle = form.slice(block, block + size);
    for (let at = result.indexOf(needle); at !== -1;) {
      let [start, end] = [at, at + size];
      while (start > 0 && at - start < block && result[start - 1] === form[block - (at - start) - 1])
        start -= 1;
      while (end < result.length && block + end - at < form.length && result[end] === form[block + end - at])
        end += 1;
      const isPiece = end - start >= half;
      if (isPiece) result = `${result.slice(0, start)}${mark}${result.slice(end)}`;
      at = result.indexOf(needle, isPiece ? start + mark.length : at + 1);
    }
  }
  return result;
}

/**
 * A cause that is safe to keep and to show: got's own errors carry the request with all its headers, and the
 * message of a certificate that is not trusted has words of the server.
 */
export function plainCause(error: unknown, redact: Redact): Error {
  if (!(error instanceof Error)) return new Error(redact(String(error)));
  const code = "code" in error ? redact(String(error.code)) : undefined;
  // A refusal at several addresses has no message of its own.
  const message = shorten(escapeControl(redact(error.message)), LONGEST_MESSAGE);
  const plain = new Error(message || code || error.name);
  plain.name = error.name;
  plain.stack = `${plain.name}: ${plain.message}`;
  return code === undefined ? plain : Object.assign(plain, { code });
}
