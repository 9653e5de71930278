import { path } from "../../api/index.ts";
import { type Fields, isFields, textIn } from "../../values/json.ts";
import type { Part, PartChange, PartRequest } from "./part.ts";
import { keepingUnknown } from "./unknown-members.ts";
import { secretsSchema, serviceSecretsSchema } from "./secret-schema.ts";
import {
  firstOf,
  isBuiltIn,
  isSecret,
  needOfOverride,
  overriding,
  refersTo,
  scopesAbove,
  secretNotes,
  variableMembers,
  answersOfWriting,
  secretDescription,
  removal,
  toVariableChange,
  type VariablePlace,
  variableListing,
  writtenAt,
} from "./variable-list.ts";

/** The secrets of one scope, whose values are never shown. */
export function secrets(scope: string): Part {
  return {
    name: "secret",
    member: "secrets",
    listing: (id) => variableListing(id, scope),
    keyOf: (entry) => (isSecret(entry) ? textIn(entry, "key") : undefined),
    isOwn: (entry) => entry["scope"] === scope,
    isBuiltIn,
    changedAt: writtenAt,
    form: {
      schema: scopesAbove.has(scope) ? secretsSchema : serviceSecretsSchema,
      outputsIn: "variables",
      isWriteOnly: true,
      declaredAs,
      goesWith: refersTo,
      needs: (fields, key) => needOfOverride(fields, key, { name: "secret", member: "secrets" }),
      nextRequest: (id, changes, listed) =>
        firstOf(changes.map(toVariableChange), (change) => requestFor({ id, scope, listed }, change)),
    },
  };
}

function declaredAs(entry: Fields): Fields {
  const { description, version } = secretNotes(entry);
  const mountPath = textIn(entry, "mount_path") ?? "";
  return {
    ...(mountPath !== "" && { mount_path: mountPath }),
    ...(isFields(entry["overridden_variable"]) && { overrides: true }),
    ...(description !== "" && { description }),
    ...(version !== "" && { version }),
  };
}

function requestFor(place: VariablePlace, { key, desired }: PartChange<Fields>): PartRequest | undefined {
  const { id, scope, listed } = place;
  const there = listed.find((entry) => entry.part.member === "secrets" && entry.isOwn && entry.key === key);
  const thereId = there && textIn(there.response, "id");
  if (!desired) return removal(key, scope, thereId);
  const before = there && declaredAs(there.response);
  const { description, version, mount_path: mountPath, overrides } = { ...before, ...desired };
  const notes: Fields = {
    description: secretDescription({
      description: String(description ?? ""),
      version: String(version ?? ""),
    }),
  };
  const written = { secret: desired, keys: [key], ...answersOfWriting(key, scope) };
  // A PUT changes neither of these.
  const isSameSort = before?.["mount_path"] === mountPath && before?.["overrides"] === overrides;
  if (thereId !== undefined && isSameSort)
    return {
      method: "PUT",
      path: path`/variable/${thereId}`,
      body: { key, ...notes },
      ...keepingUnknown(there?.response, variableMembers),
      ...written,
    };
  const mounted: Fields = mountPath === undefined ? notes : { ...notes, mount_path: mountPath };
  if (overrides === true) {
    const request = overriding(place, key, "secrets", notes);
    return request && { ...request, ...written };
  }
  return {
    method: "POST",
    path: path`/variable`,
    body: { key, is_secret: true, variable_scope: scope, variable_parent_id: id, ...mounted },
    ...written,
  };
}
