import { nameKey } from "../model/addresses/names.ts";
import { type NormalizedField, normalizedFields } from "../model/fields/normalized-fields.ts";
import { enterUnknown, type UnknownMember } from "../model/fields/unknown-members.ts";
import { toRequest } from "../model/fields/wire.ts";
import { type Fields, isFields, mapFields } from "../values/json.ts";
import { fieldsIn, type Kind } from "../model/kinds/index.ts";
import { shownValue } from "../rules/credentials.ts";
import { asShown, withVersionSuffix } from "../secrets/index.ts";
import { isWhole, nameIn, parentIdIn, sameId } from "../state/live/index.ts";

/** The body of a POST or PUT; `unknown`: members that the server has shown and no schema knows. */
export function requestBody(
  kind: Kind,
  name: string,
  fields: Fields,
  how: "create" | "update",
  parentId: string,
  unknown: readonly UnknownMember[] = [],
): Fields {
  const marked = withVersionSuffix(kind.fields, { ...fields, name });
  const body: Fields = { name: marked["name"] ?? name, ...toRequest(kind.fields, marked) };
  enterUnknown(body, unknown);
  const carried = how === "create" ? carriedBy(kind, body) : body;
  return kind.form?.finishBody?.(carried, how, parentId) ?? carried;
}

function carriedBy({ form }: Kind, body: Fields): Fields {
  const createCarries = form?.createCarries;
  return createCarries
    ? mapFields(body, (value, member) => (["name", ...createCarries].includes(member) ? value : undefined))
    : body;
}

/** Which of the fields that were sent the server has not taken over, as far as its answer tells. */
export function normalizedIn(kind: Kind, response: Fields, sent: Fields): { normalized?: NormalizedField[] } {
  const answered = fieldsIn(kind, response);
  const normalized = normalizedFields(
    kind.fields,
    answered,
    asShown(kind.fields, sent),
    isWhole(kind, response),
  );
  if (normalized.length === 0) return {};
  return {
    normalized: normalized.map((field) => ({
      path: field.path,
      ...(field.sent !== undefined && { sent: shownValue(kind, field.path, field.sent) }),
      ...(field.kept !== undefined && { kept: shownValue(kind, field.path, field.kept) }),
    })),
  };
}

/** Whether the answer to a write can be about that resource. An answer without id, name and parent can be. */
export function isAbout(
  kind: Kind,
  response: Fields,
  { id, name, parentId }: { id?: string; name?: string; parentId: string },
): boolean {
  const { id: itsId } = response;
  const itsName = nameIn(kind, response);
  const itsParentId = parentIdIn(kind, response);
  return (
    (id === undefined || typeof itsId !== "string" || sameId(itsId, id)) &&
    (name === undefined || typeof itsName !== "string" || nameKey(itsName) === nameKey(name)) &&
    (itsParentId === undefined || sameId(itsParentId, parentId))
  );
}

/** Whether the answer to a write says nothing but that it has succeeded. */
export function isEmpty(answer: unknown): boolean {
  return !Array.isArray(answer) && (!isFields(answer) || Object.keys(answer).length === 0);
}
