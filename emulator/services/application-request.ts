import { Type, type Static } from "typebox";
import { flag, GitRepositoryRequest, name, nullable, oneOf, withDefault } from "../bodies/common.ts";
import * as service from "./request.ts";

const rest = {
  description: Type.Optional(nullable(Type.String())),
  build_mode: withDefault(oneOf("DOCKER"), "DOCKER"),
  dockerfile_path: Type.Optional(nullable(Type.String())),
  docker_target_build_stage: Type.Optional(nullable(Type.String())),
  ...service.resources,
  ...service.instances,
  healthchecks: service.healthchecks,
  auto_preview: flag,
  ...service.ports,
  ...service.storage,
  ...service.command,
  ...service.autoDeploy,
  ...service.groups,
  ...service.iconUri,
  ...service.autoscaling,
};

/** Body of POST /environment/{environmentId}/application. */
export const ApplicationRequest = Type.Object({ name, git_repository: GitRepositoryRequest, ...rest });
export type ApplicationRequest = Static<typeof ApplicationRequest>;

/** Body of PUT /application/{applicationId}: name and repository have no default; a request without them leaves them unchanged. */
export const ApplicationEditRequest = Type.Object({
  name: Type.Optional(name),
  git_repository: Type.Optional(GitRepositoryRequest),
  ...rest,
});
