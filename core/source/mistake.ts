import type { ProblemCode } from "../problems/codes.ts";
import type { Position } from "../problems/problem.ts";
import type { Remedy } from "../problems/remedy.ts";
import { escapeControl, shorten } from "../values/text.ts";

/** Members and elements from the top of a document: `["ports", 0, "protocol"]`. */
export type Path = readonly (string | number)[];

/** A mistake, and how to correct it. */
export interface Mistake {
  message: string;
  advice: string;
  remedies?: readonly Remedy[];
  /** The texts that make the value right when added around it, such as quotes. */
  around?: readonly [before: string, after: string];
  /** The value in its line may be a secret. */
  hidesLine?: boolean;
  /** The key in its line may be a secret too. */
  hidesKey?: boolean;
}

/** A mistake in a document, without a position in a file. */
export interface DocumentMistake extends Mistake {
  path: Path;
  at: "key" | "value";
}

export interface PlacedMistake extends Mistake {
  code: ProblemCode;
  offset: number;
}

/** How to correct a mistake, with its corrected line if the value only needs texts around it. */
export function adviceAt(
  { advice, around }: Mistake,
  { text, column }: Pick<Position, "text" | "column">,
): string {
  const [value] = /^[\w.+-]+/.exec(text.slice(column - 1)) ?? [];
  if (!around || value === undefined || text.length > longestLine) return advice;
  const rest = text.slice(column - 1 + value.length);
  return `write ${escapeControl(`${text.slice(0, column - 1)}${around.join(value)}${rest}`.trim())}`;
}

const longestLine = 200;

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

/** Like `show`, in quotes. */
export function quote(text: string): string {
  return `"${show(text)}"`;
}

function showKey(key: string): string {
  return /^[\w-]{1,60}$/.test(key) ? key : quote(key);
}
