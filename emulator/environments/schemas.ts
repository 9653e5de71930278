import { Type } from "typebox";
import { description, environmentMode, flag, id, name, oneOf, withDefault } from "../bodies/common.ts";

export const ProjectRequest = Type.Object({ name, description });

/** The cluster has two names, `cluster` and `cluster_id`; both are accepted. */
export const CreateEnvironmentRequest = Type.Object({
  name,
  cluster: Type.Optional(id),
  cluster_id: Type.Optional(id),
  mode: withDefault(oneOf("DEVELOPMENT", "PRODUCTION", "STAGING"), "DEVELOPMENT"),
});

export const EnvironmentEditRequest = Type.Object({
  name: Type.Optional(name),
  mode: Type.Optional(oneOf("DEVELOPMENT", "PRODUCTION", "STAGING")),
});

export const CloneEnvironmentRequest = Type.Object({
  name,
  cluster_id: Type.Optional(id),
  mode: Type.Optional(environmentMode),
  apply_deployment_rule: flag,
  project_id: Type.Optional(id),
});
