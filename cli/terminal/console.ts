import { type Colors, colorsFor } from "./colors.ts";
import type { Io, Output } from "./io.ts";
import type { OutputStyle } from "./output-style.ts";

/** The output of a command: data goes to stdout, everything else to stderr. Removes secrets from both. */
export class Console {
  readonly io: Io;
  /** Whether the data is one JSON document. */
  readonly json: boolean;
  readonly dataColors: Colors;
  readonly noteColors: Colors;
  readonly #secrets = new Set<string>();
  readonly #atEnd: (() => void)[] = [];

  constructor(io: Io, style: OutputStyle) {
    this.io = io;
    this.json = style.json;
    this.dataColors = colorsFor(io.stdout, io.env, style.color);
    this.noteColors = colorsFor(io.stderr, io.env, style.color);
    this.hide(io.env["INFRASYNC_TOKEN"]);
  }

  /** Removes a secret from all further output. */
  hide(secret: string | undefined): void {
    // A text this short is not a token, and would be part of too many words.
    if (secret !== undefined && secret.length >= 8) this.#secrets.add(secret);
  }

  /** The text without secrets. */
  redact(text: string): string {
    return [...this.#secrets].reduce((result, secret) => result.replaceAll(secret, "[token]"), text);
  }

  /** Writes the data of a command to stdout. */
  data(text: string): void {
    this.#write(this.io.stdout, text);
  }

  /** Writes the one JSON document of a run. */
  document(value: unknown): void {
    this.data(safeJson(value));
  }

  /** Writes questions, progress and errors to stderr. */
  note(text: string): void {
    this.#write(this.io.stderr, text);
  }

  /** Registers a function to run when the command ends, also after a failure. */
  atEnd(action: () => void): void {
    this.#atEnd.push(action);
  }

  /** Runs the registered functions; call it when the command has ended. */
  end(): void {
    for (const action of this.#atEnd) action();
  }

  #write(stream: Output, text: string): void {
    stream.write(`${this.redact(text)}\n`);
  }
}

/** JSON text in which no character can move the cursor, reorder or hide text. */
function safeJson(value: unknown): string {
  return JSON.stringify(value, undefined, 2).replaceAll(
    /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu,
    (character) =>
      [...Array(character.length).keys()]
        .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`)
        .join(""),
  );
}
