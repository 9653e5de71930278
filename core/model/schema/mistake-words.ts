import type { Json } from "../../values/json.ts";
import { type Path, quote } from "../../source/mistake.ts";
import type { FieldSchema } from "./field-schema.ts";
import type { Formats } from "./format.ts";

/** The words for mistakes in a document: those of manifests, or those of programs. */
export interface MistakeWords {
  /** The subject of the document, with its article: `a Job`. */
  subject: string;
  /** The word for its members: `field`. */
  member: string;
  /** The names and the notation of values in messages. */
  notation: Notation;
  formats: Formats;
  /** Whether an advice that would only repeat the message is left out. */
  isBrief?: boolean;
  /** Whether the value at a JSON pointer, with its keys, is secret: no message shows it. */
  isSecret?(pointer: string): boolean;
  /** Special advice for an unknown member; undefined: the list of known members. `near`: the most similar one. */
  unknownMember?(path: Path, member: string, near: string | undefined): string | undefined;
  /** Special advice for a missing member; undefined: its description. */
  missingMember?(path: Path, member: string): string | undefined;
  /** Special advice for a malformed text; undefined: the advice of the format. */
  malformed?(path: Path): string | undefined;
}

export interface Notation {
  /** The word for a JSON object, with its article. */
  object: string;
  /** The words for a value of the wrong type in a message. */
  describe(value: Json): string;
  /** The correct way to write the value of a member, to follow `write`. Undefined: nothing to add. */
  write(schema: FieldSchema, value: Json, member: string | number | undefined): string | undefined;
  /** The texts that make a value right when added around it in a file. */
  around?(schema: FieldSchema, value: Json): readonly [before: string, after: string] | undefined;
}

/** `the text "a"`, `the number 1`, `a list`. */
export function describeValue(value: Json, object: string): string {
  if (Array.isArray(value)) return "a list";
  switch (typeof value) {
    case "string":
      return `the text ${quote(value)}`;
    case "number":
      return `the number ${value}`;
    case "boolean":
      return String(value);
    default:
      return value === null ? "null" : object;
  }
}
