import type { ProblemCode } from "../codes.ts";
import type { Remedy } from "../remedy.ts";
import { escapeControl, shorten } from "../text.ts";

/** Members and elements from the top of a document: `["ports", 0, "protocol"]`. */
export type Path = readonly (string | number)[];

/** Something wrong in a document, not yet tied to a place in a file. */
export interface DocumentMistake {
  /** The member that is wrong. */
  path: Path;
  /** Whether the key is wrong or its value. */
  at: "key" | "value";
  message: string;
  advice: string;
  remedies?: readonly Remedy[];
}

/** A mistake, and how to correct it. */
export interface Mistake {
  message: string;
  advice: string;
  remedies?: readonly Remedy[];
}

/** A mistake at an offset in the text. */
export interface PlacedMistake extends Mistake {
  code: ProblemCode;
  offset: number;
  /** The value in that line may be a secret. */
  hidesLine?: boolean;
}

/** `ports[0].protocol`. */
export function showPath(path: Path): string {
  return path
    .map((part, index) =>
      typeof part === "number" ? `[${part}]` : `${index === 0 ? "" : "."}${showKey(part)}`,
    )
    .join("");
}

/** Prepares a text of the user for a message: on one line, and shortened if it is long. */
export function show(text: string): string {
  return escapeControl(shorten(text, 60));
}

/** The same in quotes. */
export function quote(text: string): string {
  return `"${show(text)}"`;
}

function showKey(key: string): string {
  return /^[\w-]{1,60}$/.test(key) ? key : quote(key);
}
