import { undeclared } from "../world/defaults.ts";
import { HttpError, invalid } from "../world/errors.ts";
import { Type } from "typebox";
import { text } from "../bodies/common.ts";
import { JobRequest } from "./job-request.ts";
import type { World } from "../world/world.ts";
import { defineServiceKind, type ServiceBody } from "./kind.ts";
import * as shared from "./common-fields.ts";

type Spec = Omit<JobRequest, "name">;
type Source = NonNullable<JobRequest["source"]>;

/** A workload that runs on a schedule, or when its environment starts, stops or is deleted. */
export const job = defineServiceKind({
  kind: "job",
  create: JobRequest,
  edit: JobRequest,
  deploy: Type.Object({ image_tag: text, git_commit_id: text }),
  actions: ["stop"],
  has: { variables: true, restrictions: true, status: true },

  admit({ name, ...body }: JobRequest, world, previous?: ServiceBody<Spec>) {
    shared.checkCommon(body, world);
    checkSource(body.source, world);
    const schedule = admitSchedule(body, previous?.spec, world);
    const auto_deploy = shared.autoDeploy(body, world);
    return { name, spec: { ...body, ...(schedule && { schedule }), auto_deploy } };
  },

  view({ parentId, spec, deployment }, world) {
    return {
      ...shared.maxima,
      ...shared.autoPreview(parentId, world),
      icon_uri: `app://qovery-console/${spec.schedule?.cronjob ? "cron-job" : "lifecycle-job"}`,
      ...spec,
      source: sourceView(spec.source ?? {}, world, deployment?.gitCommitId),
      ...shared.groupsView(spec, world),
      job_type: jobType(spec),
      schedule: spec.schedule ?? {},
    };
  },

  deployed: (spec, { image_tag: tag }) => {
    const image = spec.source?.image;
    return tag === undefined || !image ? spec : { ...spec, source: { image: { ...image, tag } } };
  },

  repository: ({ source }) => source?.docker?.git_repository,

  isBuilt: (spec) => Boolean(spec.source?.docker),

  details: ({ source, schedule = {} }) => {
    const { cronjob, ...hooks } = schedule;
    return {
      ...(source?.image && { image_name: source.image.image_name, tag: source.image.tag }),
      schedule: { ...hooks, ...(cronjob && { cron_job: { arguments: [], ...cronjob } }) },
    };
  },
});

export function jobType(spec: Pick<Spec, "schedule">): "CRON" | "LIFECYCLE" {
  return spec.schedule?.cronjob ? "CRON" : "LIFECYCLE";
}

function checkSource(source: Source = {}, world: World): void {
  const { image, docker } = source;
  if (Boolean(image) === Boolean(docker)) {
    throw invalid("source", "exactly one of image and docker is required");
  }
  if (image) {
    shared.requireReference("source.image.registry_id", image.registry_id, world.store.registries);
  }
  if (docker?.git_repository) {
    shared.checkGitRepository("source.docker.git_repository", docker.git_repository, world);
  } else if (docker && !docker.dockerfile_raw) {
    throw invalid("source.docker", "git_repository or dockerfile_raw is required");
  }
}

/** A schedule with the type of its lifecycle, which is fixed at the creation. */
function admitSchedule(body: Spec, previous: Spec | undefined, world: World): Spec["schedule"] {
  const { cronjob, on_start, on_stop, on_delete, lifecycle_type: declared } = body.schedule ?? {};
  if (cronjob && (on_start ?? on_stop ?? on_delete)) {
    throw invalid("schedule", "cronjob cannot be combined with on_start, on_stop and on_delete");
  }
  if (previous && jobType(previous) !== jobType(body)) {
    const types = `from ${jobType(previous)} to ${jobType(body)}`;
    throw new HttpError(400, `schedule: the type of a job cannot be changed (${types})`);
  }
  if (cronjob) return body.schedule;
  const present = previous?.schedule?.lifecycle_type;
  const member = "job.schedule.lifecycle_type";
  const isFixed = undeclared(member, true, false, world);
  if (isFixed && present !== undefined && declared !== undefined && declared !== present)
    throw invalid("schedule.lifecycle_type", `cannot be changed after the creation; it is ${present}`);
  const lifecycle_type = declared ?? (isFixed ? (present ?? "GENERIC") : undefined);
  return { ...body.schedule, ...(lifecycle_type !== undefined && { lifecycle_type }) };
}

function sourceView({ image, docker }: Source, world: World, commitId?: string): object {
  if (image) {
    return { image: { ...image, registry: shared.registryDetails(image.registry_id, world) } };
  }
  const repository = docker?.git_repository;
  return {
    docker: {
      ...docker,
      ...(repository && { git_repository: shared.gitRepositoryView(repository, world, commitId) }),
    },
  };
}
