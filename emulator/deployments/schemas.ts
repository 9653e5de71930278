import { Type } from "typebox";
import { flag, id, maybe, name, text } from "../bodies/common.ts";

const ids = Type.Optional(Type.Array(id));

/** Body of POST /environment/{environmentId}/service/deploy. */
export const DeployAllRequest = Type.Object({
  applications: Type.Optional(Type.Array(Type.Object({ application_id: id, git_commit_id: text }))),
  databases: ids,
  containers: Type.Optional(Type.Array(Type.Object({ id, image_tag: text }))),
  jobs: Type.Optional(Type.Array(Type.Object({ id, image_tag: text, git_commit_id: text }))),
  helms: Type.Optional(
    Type.Array(
      Type.Object({ id, chart_version: text, git_commit_id: text, values_override_git_commit_id: text }),
    ),
  ),
  terraforms: Type.Optional(Type.Array(Type.Object({ id, git_commit_id: text }))),
});

/** Bodies of POST /environment/{environmentId}/service/stop, /delete, /uninstall and /restart-service. */
export const ServiceIdsRequest = Type.Object({
  application_ids: ids,
  container_ids: ids,
  database_ids: ids,
  job_ids: ids,
  helm_ids: ids,
  terraform_ids: ids,
});

/** Body of the requests that tell the new tag of an image. */
export const AutoDeployRequest = Type.Object({
  image_name: Type.String({ minLength: 1 }),
  tag: Type.String({ minLength: 1 }),
});

export const CancelRequest = Type.Object({ force_cancel: Type.Optional(Type.Boolean({ default: false })) });

export const StageRequest = Type.Object({ name, description: maybe(Type.String()) });
export const StageServiceRequest = Type.Object({ is_skipped: flag });
