import { repeating } from "../../redaction/credentials-in-values.ts";
import { type Mistake, quote } from "../../source/mistake.ts";

/** A rule for texts, as JSON Schema calls it. */
export interface Format {
  rule(text: string): boolean;
  /** The end of a sentence that begins with the text. */
  mistake(text: string): Mistake | undefined;
  /** The part of the rule that an editor can check: plain JSON Schema. */
  editor: { format?: string; enum?: string[]; examples?: string[] } & (
    | { pattern?: never }
    | {
        pattern: string;
        /** Shown by editors in place of the pattern. */
        patternErrorMessage: string;
      }
  );
}

export type Formats = Readonly<Record<string, Format>>;

/** A format whose rule is that `mistake` finds none. */
export function ruled(mistake: Format["mistake"], editor: Format["editor"]): Format {
  return { rule: (text: string) => mistake(text) === undefined, mistake, editor };
}

/** The API names no limit; a longer text was meant for another field. */
const longestName = 1000;

/** Undefined: the text can be a name. */
export function nameMistake(text: string): Mistake | undefined {
  if (text.length > longestName)
    return { message: `has more than ${longestName} characters`, advice: "shorten it" };
  if (text.trim() === "") return { message: "is empty", advice: "write a name" };
  if (/\p{Cc}/u.test(text))
    return {
      message: "contains control characters",
      advice: "write a name of printable characters on one line",
    };
  return text === text.trim()
    ? undefined
    : {
        message: "begins or ends with a space",
        advice: repeating(text, `write ${quote(text.trim())}`, "leave the space out"),
      };
}
