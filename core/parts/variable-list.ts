import { path } from "../api/path.ts";
import { type Fields, isFields, textIn } from "../json.ts";
import type { PartChange, PartListing, PartRequest } from "./part.ts";

/** The one list of variables and secrets of a scope. */
export const variableListing = (id: string, scope: string): PartListing => ({
  path: path`/variable`,
  query: { parent_id: id, scope },
});

/** The scopes that contain services. */
export const scopesAbove: ReadonlySet<string> = new Set(["PROJECT", "ENVIRONMENT"]);

/**
 * Whether an entry has a value that is never shown. Another name for such a value is no secret itself, and neither is one
 * of a secret manager, whatever the server says of it: its value is the name of the secret there.
 */
export function isSecret(entry: Fields): boolean {
  return entry["is_secret"] === true && !isFields(entry["aliased_variable"]) && !isExternal(entry);
}

/** Whether the value of an entry is kept in a secret manager of the cluster. */
export function isExternal(entry: Fields): boolean {
  return typeof entry["secret_manager_access_id"] === "string";
}

/** Whether the server deletes an entry with another one: an alias and an override go with the variable that they name. */
export function refersTo(
  { aliased_variable: alias, overridden_variable: overridden }: Fields,
  { id }: Fields,
): boolean {
  return [alias, overridden].some((named) => isFields(named) && named["id"] === id);
}

/** When somebody last wrote an entry; undefined for one that the platform sets. */
export function writtenAt(entry: Fields): string | undefined {
  if (entry["scope"] === "BUILT_IN") return undefined;
  return textIn(entry, "updated_at") ?? textIn(entry, "created_at");
}

/** A change of a variable or a secret: its entry is always an object. */
export interface VariableChange {
  key: string;
  wanted: Fields | undefined;
}

export function toVariableChange({ key, wanted }: PartChange): VariableChange {
  return { key, wanted: isFields(wanted) ? wanted : undefined };
}

/** The request that deletes a variable or a secret; undefined where there is none of that id. */
export function removal(key: string, scope: string, id: string | undefined): PartRequest | undefined {
  if (id === undefined) return undefined;
  return {
    method: "DELETE",
    path: path`/variable/${id}`,
    keys: [key],
    isAnsweredBy: (answer) => isFields(answer) && answer["status"] !== 202,
    listedAfter: (_answer, listed) => withEntry(listed, key, scope, undefined),
  };
}

/** How a request that writes one variable or secret is answered: with the variable, whole where the list is known after it. */
export function answersOfWriting(
  key: string,
  scope: string,
): Required<Pick<PartRequest, "isAnsweredBy" | "listedAfter">> {
  const isAnsweredBy = (answer: unknown): answer is Fields =>
    isFields(answer) && textIn(answer, "key") === key && answer["scope"] === scope;
  return {
    isAnsweredBy,
    listedAfter: (answer, listed) =>
      isAnsweredBy(answer) && isWholeEntry(answer) ? withEntry(listed, key, scope, answer) : undefined,
  };
}

/** The members that every entry of the list has. Source: notes.md. */
const members = ["id", "created_at", "key", "value", "scope", "variable_type", "is_secret"];

function isWholeEntry(entry: Fields): boolean {
  const showsSecret = isSecret(entry) && entry["value"] !== null;
  return !showsSecret && entry["id"] !== "" && members.every((member) => Object.hasOwn(entry, member));
}

/**
 * The list with another entry of a key, or without one. Undefined where the change may have changed other entries too:
 * those that refer to it, and those of the same key in a scope above, which it may hide.
 */
function withEntry(
  listed: readonly Fields[],
  key: string,
  scope: string,
  entry: Fields | undefined,
): readonly Fields[] | undefined {
  const isIt = (other: Fields) => other["key"] === key && other["scope"] === scope;
  const before = listed.filter((other) => isIt(other));
  const others = listed.filter((other) => !isIt(other));
  const ids = new Set(before.map(({ id }) => id));
  const refers = (other: Fields) =>
    [other["aliased_variable"], other["overridden_variable"]].some(
      (target) => isFields(target) && ids.has(target["id"] ?? null),
    );
  const appears = before.length === 0 || entry === undefined;
  const hides = (other: Fields) => other["key"] === key;
  const overrides = [...before, ...(entry ? [entry] : [])].some((each) =>
    isFields(each["overridden_variable"]),
  );
  if (others.some(refers) || (appears && (overrides || others.some(hides)))) return undefined;
  return entry ? [...others, entry] : others;
}
