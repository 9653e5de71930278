import { path } from "../../api/index.ts";
import { type Fields, isFields, textIn } from "../../values/json.ts";
import { expiryKey } from "./preview-label.ts";
import type { PartChange, PartEntry, PartListing, PartNeed, PartRequest } from "./part.ts";

export const variableListing = (id: string, scope: string): PartListing => ({
  path: path`/variable`,
  query: { parent_id: id, scope },
  together: ["environmentVariable", "secret"].map((part) => path`/${scope.toLowerCase()}/${id}/${part}`),
  plainIn,
});

/** The last line of a secret's description, with the written version of its value. */
const versionLine = /^(?:([^]*)\n)?version ([^\n]*)$/;

/** The description of a secret, split into a person's text and the version of the value. */
export function secretNotes(entry: Fields): { description: string; version: string } {
  const text = textIn(entry, "description") ?? "";
  const [, description = "", version] = versionLine.exec(text) ?? [];
  return version === undefined ? { description: text, version: "" } : { description, version };
}

export function secretDescription({
  description,
  version,
}: {
  description: string;
  version: string;
}): string {
  return version === "" ? description : `${description === "" ? "" : `${description}\n`}version ${version}`;
}

const plainMembers = [
  "id",
  "created_at",
  "updated_at",
  "key",
  "scope",
  "variable_type",
  "service_id",
  "service_name",
  "service_type",
  "owned_by",
  "secret_manager_access_id",
];

export const variableMembers = [
  ...plainMembers,
  "value",
  "description",
  "is_secret",
  "mount_path",
  "aliased_variable",
  "overridden_variable",
  "enable_interpolation_in_file",
];

/** A secret with a visible value is never cached. The marks of infrasync itself are not values. */
function plainIn(entry: Fields): readonly string[] | undefined {
  const { key, value = null } = entry;
  const hasSecret = isSecret(entry);
  if (hasSecret && value !== null) return undefined;
  if (key === expiryKey) return [...plainMembers, "value", "description"];
  const isVersioned = hasSecret && secretNotes(entry).version !== "";
  return isVersioned ? [...plainMembers, "description"] : plainMembers;
}

export const scopesAbove: ReadonlySet<string> = new Set(["PROJECT", "ENVIRONMENT"]);

/** Whether an entry has a hidden value: not an alias of one, and not the name in a secret manager, whatever the server says. */
export function isSecret(entry: Fields): boolean {
  const isExternal = typeof entry["secret_manager_access_id"] === "string";
  return entry["is_secret"] === true && !isFields(entry["aliased_variable"]) && !isExternal;
}

/** Whether the server deletes an entry with another one: an alias and an override with their variable. */
export function refersTo(
  { aliased_variable: alias, overridden_variable: overridden }: Fields,
  { id }: Fields,
): boolean {
  return [alias, overridden].some((named) => isFields(named) && named["id"] === id);
}

export function isBuiltIn({ scope }: Fields): boolean {
  return scope === "BUILT_IN";
}

/** The last write of an entry; undefined for an entry of the platform. */
export function writtenAt(entry: Fields): string | undefined {
  if (isBuiltIn(entry)) return undefined;
  return textIn(entry, "updated_at") ?? textIn(entry, "created_at");
}

/** The change of a variable or a secret: its entry is always an object. */
export function toVariableChange({ key, desired }: PartChange): PartChange<Fields> {
  return { key, desired: isFields(desired) ? desired : undefined };
}

/** The first request that there is for one of several changes. */
export function firstOf(
  changes: readonly PartChange<Fields>[],
  requestFor: (change: PartChange<Fields>) => PartRequest | undefined,
): PartRequest | undefined {
  for (const change of changes) {
    const request = requestFor(change);
    if (request) return request;
  }
  return undefined;
}

/** The resource of variables or secrets, and the entries that it sees. */
export interface VariablePlace {
  id: string;
  scope: string;
  listed: readonly PartEntry[];
}

/** The nearest entry with a key: of the resource, of the environment, any other; `from`: only of a scope above, and of this sort. */
export function seen(
  { listed }: VariablePlace,
  key: string,
  from?: { above: "variables" | "secrets" },
): string | undefined {
  const entries = listed.filter(
    (entry) => entry.key === key && !(from && (entry.isOwn || entry.part.member !== from.above)),
  );
  const nearest =
    entries.find(({ isOwn }) => isOwn) ??
    entries.find(({ response }) => response["scope"] === "ENVIRONMENT") ??
    entries[0];
  return nearest && textIn(nearest.response, "id");
}

/** The needs of an entry that overrides another one; an override is secret if the overridden entry is. */
export function needOfOverride(
  { overrides }: Fields,
  key: string,
  { name, member }: { name: string; member: string },
): PartNeed[] {
  return overrides === true ? [{ member: "overrides", key, what: name, as: member }] : [];
}

/** The request that overrides an entry of a scope above; undefined: none is listed. */
export function overriding(
  place: VariablePlace,
  key: string,
  above: "variables" | "secrets",
  body: Fields,
): Omit<PartRequest, "keys"> | undefined {
  const id = seen(place, key, { above });
  if (id === undefined) return undefined;
  return {
    method: "POST",
    path: path`/variable/${id}/override`,
    body: { ...body, override_scope: place.scope, override_parent_id: place.id },
  };
}

/** The request that deletes an entry; undefined without an id. */
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

/** How answers to the write of one entry give the new list. */
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

const members = ["id", "created_at", "key", "value", "scope", "variable_type", "is_secret"];

function isWholeEntry(entry: Fields): boolean {
  const showsSecret = isSecret(entry) && entry["value"] !== null;
  return !showsSecret && entry["id"] !== "" && members.every((member) => Object.hasOwn(entry, member));
}

/** The list with a changed entry; undefined: the change may affect entries that refer to it or that it may hide. */
function withEntry(
  listed: readonly Fields[],
  key: string,
  scope: string,
  entry: Fields | undefined,
): readonly Fields[] | undefined {
  const isIt = (other: Fields) => other["key"] === key && other["scope"] === scope;
  const before = listed.filter((other) => isIt(other));
  const others = listed.filter((other) => !isIt(other));
  const refers = (other: Fields) => before.some((it) => refersTo(other, it));
  const appears = before.length === 0 || entry === undefined;
  const hides = (other: Fields) => other["key"] === key;
  const overrides = [...before, ...(entry ? [entry] : [])].some((each) =>
    isFields(each["overridden_variable"]),
  );
  if (others.some(refers) || (appears && (overrides || others.some(hides)))) return undefined;
  return entry ? [...others, entry] : others;
}
