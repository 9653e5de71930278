import { escapeControl, shorten } from "../text.ts";

const LONGEST_MESSAGE = 500;

/** Takes a text's secrets out. */
export type Redact = (text: string) => string;

/** Replaces the token in whatever text is to be seen: as it is, and as a URL or a JSON text would have it. */
export function redactor(token: string): Redact {
  const forms = new Set([token, encodeURIComponent(token), JSON.stringify(token).slice(1, -1)]);
  return (text) => [...forms].reduce((result, form) => result.replaceAll(form, "[token]"), text);
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
