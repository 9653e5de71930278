import { type Fields, isFields } from "../../values/json.ts";
import { advancedSettings, deploymentRestrictions } from "../parts/index.ts";
import { choice, needed, object, oftenChanged, text, wholeNumber, withoutDefault } from "../schema/field.ts";
import {
  description,
  dockerfilePath,
  dockerTargetBuildStage,
  gitRepository,
  image,
  maximumPort,
} from "./fields.ts";
import { completeGitRepository } from "./git.ts";
import { defineKind } from "./kind.ts";
import {
  auto_preview,
  commandFields,
  gpuReports,
  resourceReports,
  service,
  serviceFields,
  serviceParts,
} from "./service.ts";

const event = (when: string) => object(`Runs when the environment ${when}.`, commandFields);

const docker = object(
  "A build from a Dockerfile.",
  {
    git_repository: gitRepository,
    dockerfile_path: dockerfilePath,
    dockerfile_raw: text("Text of the Dockerfile, if it is not in the repository."),
    docker_target_build_stage: dockerTargetBuildStage,
  },
  { needsOneOf: ["git_repository", "dockerfile_raw"] },
);

const sourceField = object(
  "Source of the job: `image` or `docker`.",
  { image, docker },
  { alternatives: [["image"], ["docker"]], needsOneOf: ["image", "docker"] },
);

const cronjob = object("Runs on a schedule.", {
  scheduled_at: needed(
    text("Cron expression of five fields, without seconds.", { format: "cron", doubt: "cron" }),
  ),
  timezone: withoutDefault(
    text("Time zone in which the expression is read, such as `Europe/Paris`.", {
      format: "time-zone",
      platformSets: [{ is: "Etc/UTC" }, { is: "UTC" }],
    }),
  ),
  ...commandFields,
});

const schedule = object(
  "When it runs: `cronjob`, or any of `on_start`, `on_stop`, `on_delete`.",
  {
    cronjob,
    on_start: event("starts"),
    on_stop: event("stops"),
    on_delete: event("is deleted"),
    lifecycle_type: withoutDefault(
      choice(["GENERIC", "TERRAFORM", "CLOUDFORMATION"], "Purpose of a lifecycle job.", {
        immutable: "the purpose of a lifecycle job is fixed at its creation",
      }),
    ),
  },
  {
    alternatives: [["cronjob"], ["on_start", "on_stop", "on_delete", "lifecycle_type"]],
    needsOneOf: ["cronjob", "on_start", "on_stop", "on_delete"],
    immutableAlternative: "a cron job cannot become a lifecycle job, nor the other way round",
  },
);

/**
 * ```yaml
 * kind: Job
 * environment: shop/staging
 * name: nightly-report
 * source:
 *   image: { registry: docker-hub, image_name: acme/report, tag: 1.4.2 }
 * schedule:
 *   cronjob: { scheduled_at: "0 3 * * *", timezone: Europe/Paris }
 * ```
 */
export const job = defineKind({
  name: "Job",
  description:
    "A job runs on a schedule (a cron job) or when its environment starts, stops or is deleted (a lifecycle job).",
  ...service("job", {
    version: ({ source: given }) => (isFields(given) && given["image"] ? "image_tag" : "git_commit_id"),
    versionField: ["source", "image", "tag"],
    isScheduled: ({ schedule: given }) => isFields(given) && isFields(given["cronjob"]),
  }),
  fields: object({
    description,
    source: needed(sourceField),
    schedule: needed(schedule),
    ...serviceFields("job"),
    max_nb_restart: oftenChanged(
      wholeNumber("Restarts before a run counts as failed.", { minimum: 0, default: 0 }),
    ),
    max_duration_seconds: withoutDefault(
      wholeNumber("Seconds after which a run is killed and counts as failed.", { minimum: 0 }),
    ),
    auto_preview,
    port: wholeNumber("Port for probes; it is never published.", { minimum: 1, maximum: maximumPort }),
  }),
  parts: [...serviceParts("job"), advancedSettings("job"), deploymentRestrictions("job")],
  form: {
    complete(declared) {
      const source = declared["source"];
      if (!isFields(source) || !isFields(source["docker"])) return declared;
      return { ...declared, source: { ...source, docker: completeGitRepository(source["docker"]) } };
    },
  },
  reports: {
    job_type: { type: "string", description: "`CRON` or `LIFECYCLE`." },
    ...resourceReports,
    ...gpuReports,
  },
  foreseen: ({ schedule: given }): Fields =>
    isFields(given) ? { job_type: Object.hasOwn(given, "cronjob") ? "CRON" : "LIFECYCLE" } : {},
});
