import type { Remedy } from "../problems/remedy.ts";
import { standInFor } from "../source/stand-ins.ts";
import { decodeText, notText } from "../source/text.ts";

/** Why the value of a secret cannot be had. Its message has nothing of the value. */
export class SecretSourceError extends Error {
  override readonly name = "SecretSourceError";
  readonly advice: string;
  readonly remedies: readonly Remedy[];

  constructor(message: string, advice: string, remedies: readonly Remedy[] = []) {
    super(message);
    this.advice = advice;
    this.remedies = remedies;
  }
}

/** A source's bytes as UTF-8 without byte order mark and last line end. @throws SecretSourceError: a service would get another value */
export function secretText(bytes: Uint8Array, what: string): string {
  const decoded = decodeText(bytes);
  if ("text" in decoded) return decoded.text.replace(/\r?\n$/, "");
  const { message, advice } = decoded.mistake;
  throw new SecretSourceError(
    `${what} ${message}`,
    decoded.mistake === notText ? "save it in UTF-8; for other bytes, store them as base64" : advice,
  );
}

/** @throws SecretSourceError for a value that stands for another one, such as a pointer of git LFS */
export function refuseStandIn(value: string, what: string): void {
  const found = standInFor(value, "secret");
  if (found) throw new SecretSourceError(`${what} ${found.message}`, found.advice);
}

/** @throws SecretSourceError for a value in which there is nothing, unless the document says that it may be so */
export function refuseEmpty(value: string, what: string, mayBeEmpty: boolean): void {
  if (mayBeEmpty || value.trim() !== "") return;
  throw new SecretSourceError(
    `${what} ${value === "" ? "is empty" : "has spaces only"}`,
    "give it a value, or set allow_empty: true beside the source to allow an empty secret",
  );
}
