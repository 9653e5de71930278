import type { Json } from "../json.ts";
import { type Path, quote } from "../source/mistake.ts";
import type { FieldSchema } from "./field-schema.ts";
import type { Formats } from "./formats.ts";

/** How mistakes are told to who has written the document: in a manifest, or in a program. */
export interface Terms {
  /** What the document describes, with its article: `a Job`. */
  subject: string;
  /** What its members are called: `field`. */
  member: string;
  /** How values are called, and how they would be written. */
  notation: Notation;
  formats: Formats;
  /** Whether nothing may be shown of the value that a JSON pointer leads to, its keys included. */
  isSecret?(pointer: string): boolean;
  /** Advice for a member that does not exist, where more is known than the names at its place. `near`: one of them. */
  unknownMember?(path: Path, member: string, near: string | undefined): string | undefined;
  /** Advice for a member that is missing, where more is known than its description. */
  missingMember?(path: Path, member: string): string | undefined;
  /** Advice for a text of a wrong form, where more is known than what the format says. */
  malformed?(path: Path): string | undefined;
}

/** How a language calls values and writes them. */
export interface Notation {
  /** What a JSON object is called, with its article. */
  object: string;
  /** A value of the wrong type, as a message names it. */
  describe(value: Json): string;
  /** How the value of a member would be written right: after `write`. Undefined: there is nothing to add. */
  write(schema: FieldSchema, value: Json, member: string | number | undefined): string | undefined;
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
