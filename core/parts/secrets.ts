import { path } from "../api/path.ts";
import { type Fields, textIn } from "../json.ts";
import type { Part, PartEntry, PartRequest } from "./part.ts";
import { secretsSchema, serviceSecretsSchema } from "./secret-schema.ts";
import {
  isSecret,
  refersTo,
  scopesAbove,
  answersOfWriting,
  removal,
  toVariableChange,
  type VariableChange,
  variableListing,
  writtenAt,
} from "./variable-list.ts";

const versionMark = "version ";

/** The secrets of one scope: their values go in, and never come back. */
export function secrets(scope: string): Part {
  return {
    name: "secret",
    member: "secrets",
    listing: (id) => variableListing(id, scope),
    keyOf: (entry) => (isSecret(entry) ? textIn(entry, "key") : undefined),
    isOwn: (entry) => entry["scope"] === scope,
    isReadable: () => false,
    changedAt: writtenAt,
    form: {
      schema: scopesAbove.has(scope) ? secretsSchema : serviceSecretsSchema,
      outputsIn: "variables",
      isWriteOnly: true,
      statedAs,
      goesWith: refersTo,
      needs: () => [],
      nextRequest: (id, [first], listed) =>
        first && requestFor({ id, scope }, toVariableChange(first), listed),
    },
  };
}

function statedAs({ description }: Fields): Fields {
  return typeof description === "string" && description.startsWith(versionMark)
    ? { version: description.slice(versionMark.length) }
    : {};
}

function requestFor(
  { id, scope }: { id: string; scope: string },
  { key, wanted }: VariableChange,
  listed: readonly PartEntry[],
): PartRequest | undefined {
  const there = listed.find((entry) => entry.part.member === "secrets" && entry.isOwn && entry.key === key);
  const thereId = there && textIn(there.response, "id");
  if (!wanted) return removal(key, scope, thereId);
  const version = textIn(wanted, "version") ?? "";
  const notes: Fields = version === "" ? {} : { description: versionMark + version };
  if (thereId !== undefined)
    return {
      method: "PUT",
      path: path`/variable/${thereId}`,
      body: { key, ...notes },
      secret: wanted,
      keys: [key],
      ...answersOfWriting(key, scope),
    };
  return {
    method: "POST",
    path: path`/variable`,
    body: { key, is_secret: true, variable_scope: scope, variable_parent_id: id, ...notes },
    secret: wanted,
    keys: [key],
    ...answersOfWriting(key, scope),
  };
}
