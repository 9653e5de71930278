import type { Json } from "../../core/json.ts";
import type { Kind } from "../../core/kinds/index.ts";
import type { SchemaError } from "../../core/schema/check.ts";
import { explain as explainError } from "../../core/schema/explain.ts";
import type { Notation, Terms } from "../../core/schema/terms.ts";
import type { DocumentMistake } from "../../core/source/mistake.ts";
import { article } from "../../core/text.ts";
import { camelCase } from "./casing.ts";
import { inputFormats } from "./formats.ts";
import type { Secrets } from "./secrets.ts";

/** A mistake that the schema finds in inputs, in the terms of a program, without secret values. */
export function explain(kind: Kind, error: SchemaError, inputs: Json, secrets: Secrets): DocumentMistake {
  return explainError(error, inputs, termsOf(kind, secrets));
}

const notation: Notation = {
  object: "an object",
  // The value itself is not shown, because it may be secret.
  describe: typeOf,
  write: () => undefined,
};

function typeOf(value: Json): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "string") return "a text";
  if (typeof value === "number" && !Number.isInteger(value)) return "a number with a fraction";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

function termsOf(kind: Kind, secrets: Secrets): Terms {
  return {
    subject: `${article(kind.name)} ${kind.name}`,
    member: "input",
    notation,
    formats: inputFormats,
    isSecret: (pointer) => secrets.has(pointer),
    unknownMember: (path, member) =>
      path.length === 0 && Object.keys(kind.reports).some((reported) => camelCase(reported) === member)
        ? "leave it out: the API reports it, and it cannot be set"
        : undefined,
    malformed: ([member, ...inside]) =>
      kind.parent && member === kind.parentMember && inside.length === 0
        ? `pass the id of the ${kind.parent.name}: \`${member}: my${kind.parent.name}.id\``
        : undefined,
  };
}
