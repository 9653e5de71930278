import { type Fields, isFields, type Json } from "../../core/values/json.ts";
import { readDocuments } from "../../core/source/document.ts";
import type { Path } from "../../core/source/mistake.ts";
import { Lines } from "../../core/source/lines.ts";
import { withoutWords, wordsIn } from "../../core/source/secret-places.ts";
import { perhapsUnset } from "../../core/source/variables.ts";

/** An assignment of the command line, such as `cpu=250`; no value where there is no `=`. */
export interface Assignment {
  path: string[];
  /** The text after `=`. */
  value: string | undefined;
}

/** Divides `source.image.tag=1.4.2` into its path and its value. */
export function divideAssignment(text: string): Assignment {
  const equals = text.indexOf("=");
  return equals === -1
    ? { path: text.split("."), value: undefined }
    : { path: text.slice(0, equals).split("."), value: text.slice(equals + 1) };
}

/** The value of a text, which is YAML. An empty one is no value: YAML would read null, and null removes. */
export function readAssigned(text: string): { value: Json } | { wrong: string; advice: string } {
  if (/^\s*(?:null|Null|NULL|~)\s*$/.test(text)) return { value: null };
  const [document] = readDocuments(new Lines(text, ""));
  const [mistake] = document?.mistakes ?? [];
  const isYaml = document?.value !== undefined;
  if (mistake)
    return {
      // The words of the parser quote pieces of the value.
      wrong: mistake.code === "syntax" ? withoutWords(wordsIn(text), mistake.message) : mistake.message,
      advice: isYaml
        ? `${mistake.advice}; ${perhapsUnset}`
        : "the value must be YAML; quote texts with special characters",
    };
  return !isYaml
    ? {
        wrong: "a value is missing",
        advice: `write null to reset the field, or "" for an empty text; ${perhapsUnset}`,
      }
    : { value: document?.value ?? null };
}

/** Fields in which a number becomes a text where only a text is allowed: a command line has no quotes for a build number 42. */
export function withTexts(
  fields: Fields,
  assignments: readonly Assignment[],
  isWrong: (fields: Fields, path: readonly string[]) => boolean,
): Fields {
  return assignments.reduce((before, { path, value: text }) => {
    const read = text === undefined ? undefined : readAssigned(text);
    const isScalar = read && "value" in read && ["number", "boolean"].includes(typeof read.value);
    if (text === undefined || !isScalar || !isWrong(before, path)) return before;
    const after = structuredClone(before);
    assign(after, path, text);
    return isWrong(after, path) ? before : after;
  }, fields);
}

/** An object without a prototype, so that `__proto__` is an ordinary member. */
export function bareFields(): Fields {
  return Object.create(null) as Fields;
}

/** Sets the member at a path, and makes the objects on the way. */
export function assign(fields: Fields, path: readonly string[], value: Json): void {
  const [member = "", ...rest] = path;
  if (rest.length === 0) {
    fields[member] = value;
    return;
  }
  const held = fields[member];
  const inner = isFields(held) ? held : bareFields();
  fields[member] = inner;
  assign(inner, rest, value);
}

export function hasMistakeAt(path: readonly string[], mistakes: readonly { path: Path }[]): boolean {
  return mistakes.some((mistake) => mistake.path.map(String).join("\n") === path.join("\n"));
}
