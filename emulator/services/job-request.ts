import { Type, type Static } from "typebox";
import { description, flag, GitRepositoryRequest, name, nullable, oneOf } from "../bodies/common.ts";
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
  port: Type.Optional(nullable(Type.Integer({ default: null, minimum: 1 }))),
  source: Type.Optional(
    Type.Object({
      image: Type.Optional(
        nullable(
          Type.Object({
            image_name: Type.String({ minLength: 1 }),
            tag: Type.String({ minLength: 1 }),
            registry_id: Type.String(),
          }),
        ),
      ),
      docker: Type.Optional(
        nullable(
          Type.Object({
            git_repository: Type.Optional(GitRepositoryRequest),
            dockerfile_path: Type.Optional(nullable(Type.String())),
            dockerfile_raw: Type.Optional(nullable(Type.String())),
            docker_target_build_stage: Type.Optional(nullable(Type.String())),
          }),
        ),
      ),
    }),
  ),
  healthchecks,
  schedule: Type.Optional(
    Type.Object(
      {
        on_start: Type.Optional(Hook),
        on_stop: Type.Optional(Hook),
        on_delete: Type.Optional(Hook),
        cronjob: Type.Optional(
          Type.Object({
            ...command,
            timezone: Type.Optional(Type.String({ format: "timezone", default: "Etc/UTC" })),
            scheduled_at: Type.String({ format: "cron" }),
          }),
        ),
        lifecycle_type: Type.Optional(oneOf("GENERIC", "TERRAFORM", "CLOUDFORMATION")),
      },
      { default: {} },
    ),
  ),
  ...autoDeploy,
  ...groups,
  ...iconUri,
});
export type JobRequest = Static<typeof JobRequest>;
