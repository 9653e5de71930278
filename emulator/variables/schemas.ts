import { Type } from "typebox";
import { id, maybe, oneOf } from "../bodies/common.ts";

/** Every scope of the interface description. */
export const scopes = [
  "APPLICATION",
  "BUILT_IN",
  "ENVIRONMENT",
  "PROJECT",
  "CONTAINER",
  "JOB",
  "HELM",
  "TERRAFORM",
  "AGENTIC_WORKFLOW",
] as const;

const scope = oneOf(...scopes);

const key = Type.String({ minLength: 1, pattern: "\\S" });

const notes = {
  description: maybe(Type.String({ maxLength: 255 })),
  enable_interpolation_in_file: maybe(Type.Boolean()),
};

const mountPath = maybe(Type.String());
const secretManager = maybe(id);
const optionalText = Type.Optional(Type.String());

export const VariableRequest = Type.Object({
  key,
  value: Type.String(),
  mount_path: mountPath,
  is_secret: Type.Boolean(),
  variable_scope: scope,
  variable_parent_id: id,
  secret_manager_access_id: secretManager,
  ...notes,
});

export const VariableEditRequest = Type.Object({
  key,
  value: maybe(Type.String()),
  secret_manager_access_id: secretManager,
  ...notes,
});

export const VariableAliasRequest = Type.Object({ key, alias_scope: scope, alias_parent_id: id, ...notes });

export const VariableOverrideRequest = Type.Object({
  value: Type.String(),
  override_scope: scope,
  override_parent_id: id,
  ...notes,
});

export const VariableImportRequest = Type.Object({
  overwrite: Type.Boolean({ default: false }),
  vars: Type.Array(Type.Object({ name: key, value: Type.String(), scope, is_secret: Type.Boolean() })),
});

/** Bodies of the paths below parents: /…/environmentVariable and /…/secret. */
export const ParentVariableRequest = Type.Object({
  key,
  value: optionalText,
  mount_path: mountPath,
  ...notes,
});
export const KeyRequest = Type.Object({ key, ...notes });
export const ValueRequest = Type.Object({ value: optionalText, ...notes });
