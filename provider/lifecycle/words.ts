import { type Address, describeAddress, parentAddress } from "../../core/address.ts";
import { formatPath } from "../../core/fields/compare.ts";
import type { Kind } from "../../core/kinds/index.ts";
import type { Action, Note, Refusal } from "../../core/plan/index.ts";
import type { Problem } from "../../core/problem.ts";
import { type FieldSchema, memberOf } from "../../core/schema/field-schema.ts";
import { camelCase, camelSchema } from "./casing.ts";
import { adviceOf, toEmpty } from "./remedies.ts";

/** What is wrong with the inputs of a resource: the input, and a sentence that names it. */
export interface ProgramObjection {
  member: string;
  reason: string;
}

/** What a document does and a program does otherwise: words of the planner, and those for programs. */
const otherwise: readonly (readonly [document: string | RegExp, program: string])[] = [
  [", and no document describes one", ""],
  [" that no document describes and that would", " that would"],
  ["describe them or move them away", "delete them, or move them away"],
  ["delete them first, or describe them", "delete them first"],
  ["describe it, or delete it first", `delete it first, or, ${toEmpty}`],
  [", and no document describes it", ""],
  ["describe it", "make the name of that resource an input, so that it is created first"],
  [
    "state secret: true and where its value comes from, such as from_env, or secret: false",
    "state secret: true or secret: false beside it",
  ],
  ["write { alias_of: ", "write { aliasOf: "],
  ["or take clone out and state all fields", "or take cloneFrom out and state all inputs"],
  [/, and to rename it add manage: .*$/g, ", and run `pulumi up` with another name to rename it"],
];

/** Why the inputs of a resource cannot be carried out, in the words of programs. */
export function objectionOf(
  { kind, names }: Address,
  { path, message, help = {}, missing }: Refusal,
): ProgramObjection {
  // A program states the members of `clone` as inputs of their own.
  const parts = path.map(String).slice(path[0] === "clone" ? 1 : 0);
  const member = showMembers(parts);
  if (missing) {
    const { oneOf } = missing;
    const what = oneOf ? `needs ${oneOf.map(camelCase).join(" or ")}` : missing.message;
    return { member, reason: `${member} ${what}${oneOf ? "" : choices(kind, parts)}` };
  }
  const above = parentAddress({ kind, names });
  // A program knows its parent as a resource of its own.
  const placed = above ? message.replaceAll(describeAddress(above), `the ${above.kind.name}`) : message;
  const text = inWords(placed, [parts, parts.slice(0, 2), parts.slice(0, 1)]);
  const [first = ""] = parts;
  const isNamed =
    member === "name" || text.startsWith(camelCase(first)) || (parts.length > 1 && text.includes(member));
  const advice = adviceOf(typeof help === "string" ? { advice: help } : help);
  const after = advice === undefined ? "" : `; ${inWords(advice, [])}`;
  return { member, reason: `${isNamed ? "" : `${member}: `}${text}${after}` };
}

/** A problem of a plan, in the words of programs. */
export function problemInWords({ message, rule, ...help }: Problem, action: Action | undefined): string {
  const { changes = [], losses = [] } = action ?? {};
  const paths = [...changes.map(({ path }) => path), ...losses.flatMap(({ path }) => (path ? [path] : []))];
  const advice = adviceOf(help);
  const place = rule === undefined ? "" : ` (${rule})`;
  return inWords(message, paths) + place + (advice === undefined ? "" : `; ${inWords(advice, paths)}`);
}

/** The notes of a plan that a user of a program can do something about. */
export function notesInWords(notes: readonly Note[], what: string): string[] {
  return notes.map(({ message, ...help }) => {
    const advice = adviceOf(help);
    return `${what}: ${inWords(message, [])}${advice === undefined ? "" : `; ${advice}`}`;
  });
}

/** A path in the form of a program: `source.image.imageName`. */
export function showMembers(path: readonly string[]): string {
  return formatPath(path.map((part) => (part.startsWith("[") ? part : camelCase(part))));
}

function inWords(text: string, paths: readonly (readonly string[])[]): string {
  // A path goes before those that it begins with.
  const named = paths
    .map((path) => [formatPath(path), showMembers(path)] as const)
    .toSorted(([left], [right]) => right.length - left.length);
  return [...otherwise, ...named].reduce(
    (so, [from, to]) => (from === "" ? so : so.replaceAll(from, to)),
    text,
  );
}

/** The choices for a missing member, if there are any, and the purpose of the member. */
function choices(kind: Kind, path: readonly string[]): string {
  const { enum: words, description = "" } = camelSchema(schemaAt(kind.fields, path));
  if (!words) return "";
  const values = words.map((word) => JSON.stringify(word)).join(", ");
  return `: ${values} (${description.replace(/\.$/, "")})`;
}

function schemaAt(schema: FieldSchema, path: readonly string[]): FieldSchema {
  return path.reduce<FieldSchema>(
    (at, part) => (part.startsWith("[") ? (at.items ?? {}) : (memberOf(at, part) ?? {})),
    schema,
  );
}
