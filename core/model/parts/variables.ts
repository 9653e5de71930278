import { path } from "../../api/index.ts";
import { type Fields, isFields, textIn } from "../../values/json.ts";
import { expiryKey } from "./preview-label.ts";
import type { Part, PartChange, PartNeed, PartRequest } from "./part.ts";
import {
  isBuiltIn,
  isSecret,
  needOfOverride,
  overriding,
  refersTo,
  scopesAbove,
  answersOfWriting,
  firstOf,
  removal,
  toVariableChange,
  seen,
  type VariablePlace,
  variableListing,
  variableMembers,
  writtenAt,
} from "./variable-list.ts";
import { keepingUnknown } from "./unknown-members.ts";
import { keys, serviceVariablesSchema, variablesSchema } from "./variable-schema.ts";

/** The variables of one scope. Those of the platform have a scope of their own, and are never changed. */
export function variables(scope: string): Part {
  const isOfService = !scopesAbove.has(scope);
  return {
    name: "variable",
    member: "variables",
    listing: (id) => variableListing(id, scope),
    keyOf: (entry) => (isSecret(entry) ? undefined : textIn(entry, "key")),
    isOwn: (entry) => entry["scope"] === scope,
    isBuiltIn,
    changedAt: writtenAt,
    form: {
      schema: isOfService ? serviceVariablesSchema : variablesSchema,
      ...(isOfService && { takesOutputs: true }),
      isPersonal: (key) => key === expiryKey,
      declaredAs: fieldsOf,
      goesWith: refersTo,
      isTakenForAliasOf,
      needs,
      nextRequest: (id, given, listed) => {
        const changes = given.map(toVariableChange);
        const own = new Map(
          listed.flatMap(({ key, isOwn, response }) =>
            isOwn && !isSecret(response) ? [[key, response] as const] : [],
          ),
        );
        const place = { id, scope, own, listed };
        return (
          importOf(place, changes) ??
          firstOf(changes, ({ key, desired }) =>
            desired && (needs(desired, key).length === 0 || isSameSort(place, key, desired))
              ? plainRequest(place, key, desired)
              : undefined,
          ) ??
          firstOf(changes, ({ key, desired }) => desired && overrideOf(place, key, desired)) ??
          firstOf(changes, ({ key, desired }) => desired && aliasOf(place, key, desired, changes)) ??
          firstOf(changes, ({ key, desired }) =>
            desired ? undefined : removal(key, scope, textIn(own.get(key) ?? {}, "id")),
          )
        );
      },
    },
  };
}

const keyForm = new RegExp(keys.pattern);

/** To the API, a variable whose value is the key of another one is an alias of it. */
function isTakenForAliasOf(key: string, { value, file }: Fields): string | undefined {
  const content = value ?? (isFields(file) ? file["text"] : undefined);
  return typeof content === "string" && content !== key && keyForm.test(content) ? content : undefined;
}

interface OwnVariablePlace extends VariablePlace {
  /** The variables of the resource itself, by key. */
  own: ReadonlyMap<string, Fields>;
}

function fieldsOf(entry: Fields): Fields {
  const { aliased_variable: alias, overridden_variable: overridden, description } = entry;
  const mountPath = textIn(entry, "mount_path");
  const secretManager = textIn(entry, "secret_manager_access_id");
  const value = textIn(entry, "value") ?? "";
  const isMounted = mountPath !== undefined && mountPath !== "";
  const content = (): Fields => {
    if (isFields(alias)) return { alias_of: textIn(alias, "key") ?? "" };
    if (secretManager !== undefined)
      return {
        external: {
          secret_manager: secretManager,
          reference: value,
          ...(isMounted && { mount_path: mountPath }),
        },
      };
    return isMounted ? { file: { mount_path: mountPath, text: value } } : { value };
  };
  return {
    ...content(),
    ...(isFields(overridden) && { overrides: true }),
    ...(typeof description === "string" && description !== "" && { description }),
    ...(entry["enable_interpolation_in_file"] === true && { interpolate: true }),
  };
}

function needs(fields: Fields, key = ""): PartNeed[] {
  const alias = textIn(fields, "alias_of");
  if (alias !== undefined) return [{ member: "alias_of", key: alias, what: "variable" }];
  const { from, output } = fields;
  if (typeof from === "string")
    return [{ member: "from", key: `${String(output)} of ${from}`, what: "output", isOutput: true }];
  return needOfOverride(fields, key, { name: "variable", member: "variables" });
}

/** One request for many new values. It cannot carry other sorts of variables, or existing ones. */
function importOf(
  { id, scope, own }: OwnVariablePlace,
  changes: readonly PartChange<Fields>[],
): PartRequest | undefined {
  // `/variable/import` exists only for services.
  if (scopesAbove.has(scope)) return undefined;
  const vars = changes.flatMap(({ key, desired }) => {
    const value = desired && textIn(desired, "value");
    const isPlain = desired && isOnlyValue(desired) && !own.has(key);
    return isPlain && value !== undefined ? [{ name: key, value, scope, is_secret: false }] : [];
  });
  if (vars.length < 2) return undefined;
  return {
    method: "POST",
    path: path`/variable/import?service_id=${id}&service_type=${scope}`,
    // A variable that somebody has set meanwhile stays and is read again.
    body: { overwrite: false, vars },
    keys: vars.map(({ name }) => name),
    makes: vars.map(({ name, ...entry }) => ({ key: name, variable_type: "VALUE", ...entry })),
    isAnsweredBy: (answer) => {
      const set = isFields(answer) ? answer["successful_imported_variables"] : undefined;
      return Array.isArray(set) && set.length === vars.length;
    },
  };
}

function isOnlyValue({ value: _value, description, interpolate, ...others }: Fields): boolean {
  return (
    (description ?? "") === "" &&
    (interpolate ?? false) === false &&
    Object.values(others).every((other) => other === false)
  );
}

/** Whether a variable keeps its sort, so that a PUT can change it. */
function isSameSort({ own }: OwnVariablePlace, key: string, desired: Fields): boolean {
  const entry = own.get(key);
  return entry !== undefined && sortOf(fieldsOf(entry)) === sortOf(desired);
}

/** The properties that a PUT cannot change. */
function sortOf({ value, alias_of: alias, file, external, overrides }: Fields): string {
  const mountPath = [file, external].find(isFields)?.["mount_path"];
  const sort =
    value !== undefined ? "value" : isFields(file) ? "file" : isFields(external) ? "external" : "alias";
  return JSON.stringify([sort, alias, mountPath, overrides === true]);
}

/** A variable in request form without its key. An external secret is a readable name, so that plans can compare it. */
function contentOf({ value, file, external }: Fields): Fields {
  if (isFields(file)) return { value: file["text"] ?? "", mount_path: file["mount_path"] ?? null };
  if (isFields(external))
    return {
      value: external["reference"] ?? "",
      secret_manager_access_id: external["secret_manager"] ?? null,
      ...(external["mount_path"] !== undefined && { mount_path: external["mount_path"] }),
    };
  return { value: value ?? "" };
}

function notesOf({ description, interpolate }: Fields): Fields {
  return {
    ...(description !== undefined && { description }),
    ...(interpolate !== undefined && { enable_interpolation_in_file: interpolate }),
  };
}

function plainRequest(place: OwnVariablePlace, key: string, desired: Fields): PartRequest {
  const { id, scope, own } = place;
  const before = own.get(key);
  const beforeId = before && textIn(before, "id");
  if (before && beforeId !== undefined && isSameSort(place, key, desired)) {
    const { mount_path: _fixed, ...content } = desired["alias_of"] === undefined ? contentOf(desired) : {};
    const { description = "", interpolate = false } = fieldsOf(before);
    const body = { key, ...content, ...notesOf({ description, interpolate, ...desired }) };
    return {
      method: "PUT",
      path: path`/variable/${beforeId}`,
      body,
      ...keepingUnknown(before, variableMembers),
      keys: [key],
      ...answersOfWriting(key, scope),
    };
  }
  const body = {
    key,
    ...contentOf(desired),
    is_secret: false,
    variable_scope: scope,
    variable_parent_id: id,
    ...notesOf(desired),
  };
  return creation(place, path`/variable`, key, body);
}

function creation({ scope }: OwnVariablePlace, where: string, key: string, body: Fields): PartRequest {
  return { method: "POST", path: where, body, keys: [key], ...answersOfWriting(key, scope) };
}

function overrideOf(place: OwnVariablePlace, key: string, desired: Fields): PartRequest | undefined {
  if (desired["overrides"] !== true) return undefined;
  const { value } = contentOf(desired);
  const request = overriding(place, key, "variables", { value: value ?? "", ...notesOf(desired) });
  return request && { ...request, keys: [key], ...answersOfWriting(key, place.scope) };
}

/** An alias is created after its variable. */
function aliasOf(
  place: OwnVariablePlace,
  key: string,
  desired: Fields,
  changes: readonly PartChange<Fields>[],
): PartRequest | undefined {
  const target = textIn(desired, "alias_of");
  if (target === undefined || changes.some((change) => change.key === target && change.desired))
    return undefined;
  const id = seen(place, target);
  if (id === undefined) return undefined;
  const body = { key, alias_scope: place.scope, alias_parent_id: place.id, ...notesOf(desired) };
  return creation(place, path`/variable/${id}/alias`, key, body);
}
