import { withoutCredentials } from "../../core/redaction/credential-forms.ts";
import { HiddenTexts } from "../../core/redaction/hidden-texts.ts";
import { tokenPlaceholder } from "../../core/redaction/redact.ts";
import { credentialFiles, credentialsIn, declaredCredentials } from "../../core/redaction/credentials.ts";
import { type Colors, colorsFor } from "./colors.ts";
import type { Io, Output } from "./io.ts";
import type { TypedCommand } from "./typed-command.ts";

/** Runs a command line in this process, and returns its exit code. */
export type RunCommandLine = (args: readonly string[], io: Io) => Promise<number>;

/** The output of a command: data goes to stdout, everything else to stderr. Removes secrets from both. */
export class Console {
  readonly io: Io;
  /** What no output shows. */
  readonly hidden: HiddenTexts;
  /** Whether the data is one JSON document, or lines of JSON. */
  readonly json: boolean;
  /** Whether each event of a run is a line of JSON. */
  readonly jsonLines: boolean;
  readonly dataColors: Colors;
  readonly noteColors: Colors;
  /** The command line that runs; undefined before it is understood. */
  typed: TypedCommand | undefined;
  readonly #style: OutputStyle;
  readonly #atEnd: (() => void)[] = [];

  readonly runCommandLine: RunCommandLine | undefined;

  constructor(io: Io, style: OutputStyle, runCommandLine?: RunCommandLine) {
    // A copy of its properties: to ask for the standard input makes it.
    const { hidden = new HiddenTexts() } = io;
    this.hidden = hidden;
    this.io = Object.defineProperties({ hidden } as unknown as Io, Object.getOwnPropertyDescriptors(io));
    this.#style = style;
    this.runCommandLine = runCommandLine;
    this.json = style.json;
    this.jsonLines = style.jsonLines;
    this.dataColors = colorsFor(io.stdout, io.env, style.color);
    this.noteColors = colorsFor(io.stderr, io.env, style.color);
    for (const credential of declaredCredentials(io.env)) this.hide(credential);
  }

  /** The same output for a part of the work that has another environment or signal: what either hides, both hide. */
  within(part: Pick<Io, "env" | "signal" | "localRepositories">): Console {
    const inner = new Console({ ...this.io, ...part }, this.#style, this.runCommandLine);
    this.atEnd(() => inner.end());
    return inner;
  }

  /** Hides what the files of the environment have: before the first output of a command. */
  async hideFiles(): Promise<void> {
    const inFiles = await Promise.all(credentialFiles(this.io.env).map(credentialsIn));
    for (const credential of inFiles.flat()) this.hide(credential);
  }

  /** The width of the terminal that shows the data; undefined where there is none. */
  get dataWidth(): number | undefined {
    return widthOf(this.io.stdout);
  }

  /** The width of the terminal that shows notes; undefined where there is none. */
  get noteWidth(): number | undefined {
    return widthOf(this.io.stderr);
  }

  /** Removes a secret from all further output. */
  hide(secret: string | undefined): void {
    // A text this short is not a token, and would be part of too many words.
    if (secret !== undefined && secret.length >= 8) this.hidden.hide(secret, tokenPlaceholder);
  }

  /** The text without secrets. */
  redact(text: string): string {
    return this.hidden.redact(text);
  }

  /** Writes the data of a command to stdout. */
  data(text: string): void {
    this.#write(this.io.stdout, text);
  }

  /** Writes the JSON document of a run without credentials; `isManifest`: its values stay, because it is applied again. */
  document(
    value: { format: string; version: number; [member: string]: unknown } | { $schema?: unknown },
    { isManifest = false } = {},
  ): void {
    const isVerbatim = isManifest || !("format" in value);
    this.data(safeJson(value, this.jsonLines ? undefined : 2, isVerbatim ? undefined : masked));
  }

  /** With `--output jsonl`: writes an event as a line. */
  event(event: string, members: object): void {
    if (!this.jsonLines) return;
    const at = new Date(this.io.clock?.now() ?? Date.now()).toISOString();
    this.data(safeJson({ format: "infrasync-event", version: 1, at, event, ...members }, undefined, masked));
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

/** Narrower terminals, and those that do not report their width, break lines as they like. */
const narrowest = 40;

function widthOf({ isTTY, columns = 0 }: Output): number | undefined {
  return isTTY && columns >= narrowest ? columns : undefined;
}

function masked(_member: string, inner: unknown): unknown {
  return typeof inner === "string" ? withoutCredentials(inner) : inner;
}

/** JSON text in which no character can move the cursor, reorder or hide text. */
function safeJson(
  value: unknown,
  indentation?: number,
  change?: (member: string, inner: unknown) => unknown,
): string {
  return JSON.stringify(value, change, indentation).replaceAll(
    /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu,
    (character) =>
      [...Array(character.length).keys()]
        .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`)
        .join(""),
  );
}

/** The output style of a run. It is read before the arguments are parsed, because errors of parsing use it too. */
export interface OutputStyle {
  /** JSON, also as lines. */
  json: boolean;
  jsonLines: boolean;
  /** Undefined: decided by the terminal and the environment. */
  color: boolean | undefined;
}

/** Reads `--output` and `--color` from arguments that may contain mistakes. */
export function outputStyle(args: readonly string[]): OutputStyle {
  const end = args.indexOf("--");
  const flags = end === -1 ? args : args.slice(0, end);
  const outputs = flags.flatMap((flag, index) =>
    flag === "--output" || flag === "-o"
      ? [flags[index + 1]]
      : (/^(?:--output=|-o)(.+)$/s.exec(flag)?.slice(1) ?? []),
  );
  const color = flags.findLast((flag) => flag === "--color" || flag === "--no-color");
  const output = outputs.at(-1);
  const jsonLines = output === "jsonl";
  return {
    json: output === "json" || jsonLines,
    jsonLines,
    color: color === undefined ? undefined : color === "--color",
  };
}
