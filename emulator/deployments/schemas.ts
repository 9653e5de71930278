import { Type } from "typebox";
import { flag, id, name, nullable, oneOf, text } from "../http/schemas.ts";

const ids = Type.Optional(Type.Array(id));

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

/** Bodies of POST /environment/{environmentId}/service/stop, /delete and /restart-service. */
export const ServiceIdsRequest = Type.Object({
  application_ids: ids,
  container_ids: ids,
  database_ids: ids,
  job_ids: ids,
  helm_ids: ids,
  terraform_ids: ids,
});

export const JobAutoDeployRequest = Type.Object({
  image_name: Type.String({ minLength: 1 }),
  tag: Type.String({ minLength: 1 }),
});

export const CancelRequest = Type.Object({ force_cancel: Type.Optional(Type.Boolean({ default: false })) });

export const StageRequest = Type.Object({ name, description: Type.Optional(nullable(Type.String())) });
export const StageServiceRequest = Type.Object({ is_skipped: flag });

export const RestrictionRequest = Type.Object({
  mode: oneOf("EXCLUDE", "MATCH"),
  type: oneOf("PATH"),
  value: Type.String({ minLength: 1 }),
});

export const NetworkRequest = Type.Object({ sticky_session: flag });

export const CustomDomainRequest = Type.Object({
  domain: Type.String({ minLength: 1 }),
  generate_certificate: Type.Boolean(),
  use_cdn: flag,
});
