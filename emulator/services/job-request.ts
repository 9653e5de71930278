import { Type, type Static } from "typebox";
import {
  GitRepositoryRequest,
  description,
  flag,
  maybe,
  maybeObject,
  name,
  oneOf,
  optionalObject,
} from "../bodies/common.ts";
import { autoDeploy, command, groups, healthchecks, iconUri, resources } from "./request.ts";

const Hook = Type.Object(command);

/** Body of POST /environment/{environmentId}/job and PUT /job/{jobId}. */
export const JobRequest = Type.Object({
  name,
  description,
  ...resources,
  max_nb_restart: Type.Optional(Type.Integer({ default: 0, minimum: 0 })),
  max_duration_seconds: Type.Optional(Type.Integer({ minimum: 0 })),
  auto_preview: flag,
  port: maybe(Type.Integer({ default: null, minimum: 1 })),
  source: optionalObject({
    image: maybeObject({
      image_name: Type.String({ minLength: 1 }),
      tag: Type.String({ minLength: 1 }),
      registry_id: Type.String(),
    }),
    docker: maybeObject({
      git_repository: Type.Optional(GitRepositoryRequest),
      dockerfile_path: maybe(Type.String()),
      dockerfile_raw: maybe(Type.String()),
      docker_target_build_stage: maybe(Type.String()),
    }),
  }),
  healthchecks,
  schedule: optionalObject(
    {
      on_start: Type.Optional(Hook),
      on_stop: Type.Optional(Hook),
      on_delete: Type.Optional(Hook),
      cronjob: optionalObject({
        ...command,
        timezone: Type.Optional(Type.String({ format: "timezone", default: "Etc/UTC" })),
        scheduled_at: Type.String({ format: "cron" }),
      }),
      lifecycle_type: Type.Optional(oneOf("GENERIC", "TERRAFORM", "CLOUDFORMATION")),
    },
    { default: {} },
  ),
  ...autoDeploy,
  ...groups,
  ...iconUri,
});
export type JobRequest = Static<typeof JobRequest>;
