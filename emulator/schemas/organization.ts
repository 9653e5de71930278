import { Type } from "typebox";
import type { Static } from "typebox";
import { description, environmentMode, flag, id, name, oneOf, text, uri } from "./common.ts";

export const ProjectRequest = Type.Object({ name, description });

/** `cluster` is the facts' name and `cluster_id` the reference's; either is taken. */
export const CreateEnvironmentRequest = Type.Object({
  name,
  cluster: Type.Optional(id),
  cluster_id: Type.Optional(id),
  mode: Type.Optional({ ...oneOf("DEVELOPMENT", "PRODUCTION", "STAGING"), default: "DEVELOPMENT" }),
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

export const ClusterRequest = Type.Object({
  name,
  description,
  region: Type.String(),
  cloud_provider: oneOf(
    "AWS",
    "SCW",
    "GCP",
    "DO",
    "AZURE",
    "OVH",
    "CIVO",
    "HETZNER",
    "ORACLE",
    "IBM",
    "ON_PREMISE",
  ),
  min_running_nodes: Type.Optional(Type.Integer({ default: 1 })),
  max_running_nodes: Type.Optional(Type.Integer({ default: 1 })),
  disk_size: Type.Optional(Type.Integer({ default: 40 })),
  instance_type: text,
  kubernetes: Type.Optional({
    ...oneOf("MANAGED", "SELF_MANAGED", "PARTIALLY_MANAGED"),
    default: "MANAGED",
  }),
  production: flag,
  ssh_keys: Type.Optional(Type.Array(Type.String())),
});
export type ClusterRequest = Static<typeof ClusterRequest>;

const secretConfig = (...members: string[]) =>
  Type.Object(Object.fromEntries(members.map((member) => [member, text])));

export const ContainerRegistryRequest = Type.Object({
  name,
  kind: oneOf(
    "ECR",
    "SCALEWAY_CR",
    "DOCKER_HUB",
    "GITHUB_CR",
    "GITHUB_ENTERPRISE_CR",
    "GITLAB_CR",
    "PUBLIC_ECR",
    "DOCR",
    "GENERIC_CR",
    "GCP_ARTIFACT_REGISTRY",
    "AZURE_CR",
  ),
  description,
  url: Type.Optional(uri),
  config: secretConfig(
    "access_key_id",
    "secret_access_key",
    "region",
    "scaleway_access_key",
    "scaleway_secret_key",
    "scaleway_project_id",
    "json_credentials",
    "project_id",
    "service_account_email",
    "workload_identity_provider_resource",
    "username",
    "password",
    "role_arn",
    "azure_tenant_id",
    "azure_subscription_id",
  ),
});
export type ContainerRegistryRequest = Static<typeof ContainerRegistryRequest>;

export const GitTokenRequest = Type.Object({
  name,
  description,
  type: oneOf("BITBUCKET", "GITHUB", "GITLAB"),
  token: Type.String({ minLength: 1 }),
  workspace: text,
  git_api_url: Type.Optional(uri),
});
export type GitTokenRequest = Static<typeof GitTokenRequest>;

export const AnnotationsGroupRequest = Type.Object({
  name,
  annotations: Type.Array(Type.Object({ key: Type.String({ minLength: 1 }), value: Type.String() })),
  scopes: Type.Array(
    oneOf(
      "DEPLOYMENTS",
      "STATEFUL_SETS",
      "SERVICES",
      "INGRESS",
      "GATEWAY_API_ROUTES",
      "HPA",
      "PODS",
      "SECRETS",
      "JOBS",
      "CRON_JOBS",
    ),
  ),
});
export type AnnotationsGroupRequest = Static<typeof AnnotationsGroupRequest>;

export const LabelsGroupRequest = Type.Object({
  name,
  labels: Type.Array(
    Type.Object({
      key: Type.String({ minLength: 1 }),
      value: Type.String(),
      propagate_to_cloud_provider: Type.Boolean(),
    }),
  ),
});
export type LabelsGroupRequest = Static<typeof LabelsGroupRequest>;

