import { Type } from "typebox";
import { id, nullable, oneOf, text } from "../bodies/common.ts";

// The bodies of the deploy operations of each kind of service.

export const ApplicationDeployRequest = Type.Object({ git_commit_id: text });
export const ContainerDeployRequest = Type.Object({ image_tag: Type.String() });
export const JobDeployRequest = Type.Object({ image_tag: text, git_commit_id: text });
export const HelmDeployRequest = Type.Object({
  chart_version: text,
  git_commit_id: text,
  values_override_git_commit_id: text,
});
export const TerraformDeployRequest = Type.Object({
  id: Type.Optional(nullable(id)),
  git_commit_id: text,
  action: Type.Optional(nullable(oneOf("PLAN", "FORCE_UNLOCK", "MIGRATE_STATE"))),
});
