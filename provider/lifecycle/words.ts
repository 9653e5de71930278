import type { Address } from "../../core/address.ts";
import { formatPath } from "../../core/fields/compare.ts";
import type { Kind } from "../../core/kinds/index.ts";
import type { Note, Refusal } from "../../core/plan/index.ts";
import type { Problem } from "../../core/problem.ts";
import { type Message, textOf } from "../../core/say.ts";
import { type FieldSchema, memberOf } from "../../core/schema/field-schema.ts";
import { camelCase, camelSchema } from "./casing.ts";
import { adviceOf, type StatedSettings } from "./remedies.ts";

/** What is wrong with the inputs of a resource: the input, and a sentence that names it. */
export interface ProgramObjection {
  member: string;
  reason: string;
}

/** A message about a resource of a kind, in the words of programs. */
export function inWords(message: string | Message, kind: Kind | undefined): string {
  return textOf(message, (term) => {
    if ("field" in term) return showMembers(kind, withoutClone(term.field));
    // A program knows what it is in as a resource of its own.
    return "resource" in term ? `the ${term.resource}` : "";
  });
}

/** A path in the form of a program: `source.image.imageName`, `variables.api_url`. */
export function showMembers(kind: Kind | undefined, path: readonly string[]): string {
  let at: FieldSchema = kind?.fields ?? {};
  return formatPath(
    path.map((part) => {
      const isKey = part.startsWith("[") || at.entries !== undefined;
      at = inside(at, part);
      return isKey ? part : camelCase(part);
    }),
  );
}

/** A program states the members of `clone` as inputs of their own. */
function withoutClone(path: readonly string[]): readonly string[] {
  return path[0] === "clone" ? path.slice(1) : path;
}

/** Why the inputs of a resource cannot be carried out, in the words of programs. */
export function objectionOf(
  { kind }: Address,
  { path, message, help = {}, missing }: Refusal,
): ProgramObjection {
  const parts = withoutClone(path.map(String));
  const member = showMembers(kind, parts);
  if (missing) {
    const { oneOf } = missing;
    const what = oneOf ? `needs ${oneOf.map(camelCase).join(" or ")}` : inWords(missing.message, kind);
    return { member, reason: `${member} ${what}${oneOf ? "" : choices(kind, parts)}` };
  }
  const isNamed =
    member === "name" ||
    (typeof message !== "string" &&
      message.some((part) => typeof part === "object" && "field" in part && part.field[0] === parts[0]));
  const advice = adviceOf(typeof help === "string" ? { advice: help } : help);
  const after = advice === undefined ? "" : `; ${advice}`;
  return { member, reason: `${isNamed ? "" : `${member}: `}${inWords(message, kind)}${after}` };
}

/** A problem of a plan, in the words of programs. */
export function problemInWords(
  { message, said, rule, ...help }: Problem,
  kind?: Kind,
  settings?: StatedSettings,
): string {
  const advice = adviceOf(help, settings);
  const place = rule === undefined ? "" : ` (${rule})`;
  return inWords(said ?? message, kind) + place + (advice === undefined ? "" : `; ${advice}`);
}

/** The notes of a plan that a user of a program can do something about. */
export function notesInWords(notes: readonly Note[], what: string, kind?: Kind): string[] {
  return notes.map(({ message, said, ...help }) => {
    const advice = adviceOf(help);
    return `${what}: ${inWords(said ?? message, kind)}${advice === undefined ? "" : `; ${advice}`}`;
  });
}

/** The choices for a missing member, if there are any, and the purpose of the member. */
function choices(kind: Kind, path: readonly string[]): string {
  const { enum: words, description = "" } = camelSchema(schemaAt(kind.fields, path));
  if (!words) return "";
  const values = words.map((word) => JSON.stringify(word)).join(", ");
  return `: ${values} (${description.replace(/\.$/, "")})`;
}

function schemaAt(schema: FieldSchema, path: readonly string[]): FieldSchema {
  return path.reduce(inside, schema);
}

function inside(schema: FieldSchema, part: string): FieldSchema {
  return (part.startsWith("[") ? schema.items : memberOf(schema, part)) ?? {};
}
