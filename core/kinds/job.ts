import Type from "typebox";
import { isFields } from "../json.ts";
import { description, dockerfilePath, dockerTargetBuildStage, gitRepository, image } from "./fields.ts";
import { completeGitRepository } from "./git.ts";
import { variables } from "../parts/index.ts";
import { defineKind } from "./kind.ts";
import { commandFields, service, serviceFields, serviceReports } from "./service.ts";

const event = (when: string) =>
  Type.Optional(
    Type.Object(commandFields, {
      additionalProperties: false,
      description: `Runs when the environment ${when}.`,
    }),
  );

export const job = defineKind({
  name: "Job",
  description:
    "A job runs on a schedule (a cron job) or when its environment starts, stops or is deleted (a lifecycle job).",
  ...service("job"),
  fields: Type.Object(
    {
      description,
      source: Type.Optional(
        Type.Object(
          {
            image: Type.Optional(image),
            docker: Type.Optional(
              Type.Object(
                {
                  git_repository: Type.Optional(gitRepository),
                  dockerfile_path: dockerfilePath,
                  dockerfile_raw: Type.Optional(
                    Type.String({ description: "The Dockerfile itself, when it is not in the repository." }),
                  ),
                  docker_target_build_stage: dockerTargetBuildStage,
                },
                {
                  additionalProperties: false,
                  description: "A build from a Dockerfile.",
                  needsOneOf: ["git_repository", "dockerfile_raw"],
                },
              ),
            ),
          },
          {
            additionalProperties: false,
            description: "What it runs: `image` or `docker`.",
            alternatives: [["image"], ["docker"]],
            needsOneOf: ["image", "docker"],
            resettable: false,
          },
        ),
      ),
      schedule: Type.Optional(
        Type.Object(
          {
            cronjob: Type.Optional(
              Type.Object(
                {
                  scheduled_at: Type.Optional(
                    Type.String({
                      description: "Cron expression of five fields, without seconds.",
                      format: "cron",
                      resettable: false,
                    }),
                  ),
                  timezone: Type.Optional(
                    Type.String({
                      description: "Time zone in which the expression is read, such as `Europe/Paris`.",
                      format: "time-zone",
                      resettable: false,
                    }),
                  ),
                  ...commandFields,
                },
                { additionalProperties: false, description: "Runs on a schedule.", needs: ["scheduled_at"] },
              ),
            ),
            on_start: event("starts"),
            on_stop: event("stops"),
            on_delete: event("is deleted"),
            lifecycle_type: Type.Optional(
              Type.Enum(["GENERIC", "TERRAFORM", "CLOUDFORMATION"], {
                type: "string",
                description: "What a lifecycle job is used for.",
                resettable: false,
              }),
            ),
          },
          {
            additionalProperties: false,
            description: "When it runs: `cronjob`, or any of `on_start`, `on_stop`, `on_delete`.",
            alternatives: [["cronjob"], ["on_start", "on_stop", "on_delete", "lifecycle_type"]],
            needsOneOf: ["cronjob", "on_start", "on_stop", "on_delete"],
            immutableAlternative: "a cron job cannot become a lifecycle job, nor the other way round",
            resettable: false,
          },
        ),
      ),
      ...serviceFields("job"),
      max_nb_restart: Type.Optional(
        Type.Integer({ description: "Restarts before a run counts as failed.", minimum: 0, default: 0 }),
      ),
      max_duration_seconds: Type.Optional(
        Type.Integer({
          description: "Seconds after which a run is killed and counts as failed.",
          minimum: 0,
          resettable: false,
        }),
      ),
      auto_preview: Type.Optional(
        Type.Boolean({
          description:
            "Whether a preview environment is cloned automatically; the environment's value when left out.",
          resettable: false,
        }),
      ),
      port: Type.Optional(
        Type.Integer({ description: "Port that probes run on; never exposed.", minimum: 1, maximum: 65_535 }),
      ),
    },
    { additionalProperties: false, needs: ["source", "schedule"] },
  ),
  parts: [variables("JOB")],
  complete(stated) {
    const source = stated["source"];
    if (!isFields(source) || !isFields(source["docker"])) return stated;
    return { ...stated, source: { ...source, docker: completeGitRepository(source["docker"]) } };
  },
  reports: {
    job_type: { type: "string", description: "`CRON` or `LIFECYCLE`." },
    ...serviceReports,
    maximum_gpu: { type: "integer", description: "Most GPUs that it can be given." },
  },
});
