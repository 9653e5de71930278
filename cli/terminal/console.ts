import { type Colors, colorsFor } from "./colors.ts";
import type { Io, Output } from "./io.ts";
import type { OutputStyle } from "./output-style.ts";

/** Where a command writes: data to stdout, all else to stderr. Takes secrets out of both. */
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

  /** From now on that text is shown nowhere. */
  hide(secret: string | undefined): void {
    // A text this short is no token, and is part of too many words.
    if (secret !== undefined && secret.length >= 8) this.#secrets.add(secret);
  }

  /** The text with the secrets taken out. */
  redact(text: string): string {
    return [...this.#secrets].reduce((result, secret) => result.replaceAll(secret, "[token]"), text);
  }

  /** Writes what the command is there to give. */
  data(text: string): void {
    this.#write(this.io.stdout, text);
  }

  /** Writes the one JSON document of a run. */
  document(value: unknown): void {
    this.data(safeJson(value));
  }

  /** Writes what is not data: questions, progress, errors. */
  note(text: string): void {
    this.#write(this.io.stderr, text);
  }

  /** Has something done when the command ends, however it ends. */
  atEnd(what: () => void): void {
    this.#atEnd.push(what);
  }

  /** To be called when the command has ended. */
  end(): void {
    for (const what of this.#atEnd) what();
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
