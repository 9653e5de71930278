import { Type } from "typebox";
import type { Static } from "typebox";
import {
  description,
  environmentMode,
  flag,
  id,
  name,
  nullable,
  oneOf,
  text,
  uri,
  withDefault,
} from "../http/schemas.ts";

const about = {
  website_url: Type.Optional(nullable(Type.String())),
  repository: Type.Optional(nullable(Type.String())),
  logo_url: Type.Optional(nullable(Type.String())),
  icon_url: Type.Optional(nullable(Type.String())),
  admin_emails: Type.Optional(nullable(Type.Array(Type.String()))),
};

export const OrganizationRequest = Type.Object({
  name,
  description: Type.Optional(nullable(Type.String())),
  plan: oneOf(
    "FREE",
    "TEAM",
    "TEAM_YEARLY",
    "ENTERPRISE",
    "ENTERPRISE_YEARLY",
    "PROFESSIONAL",
    "BUSINESS",
    "USER_2025",
    "TEAM_2025",
    "BUSINESS_2025",
    "ENTERPRISE_2025",
  ),
  ...about,
});
export type OrganizationRequest = Static<typeof OrganizationRequest>;

export const OrganizationEditRequest = Type.Object({ name, description, ...about });

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
  kubernetes: withDefault(oneOf("MANAGED", "SELF_MANAGED", "PARTIALLY_MANAGED"), "MANAGED"),
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

export const HelmRepositoryRequest = Type.Object({
  name,
  kind: oneOf(
    "HTTPS",
    "OCI_ECR",
    "OCI_SCALEWAY_CR",
    "OCI_DOCKER_HUB",
    "OCI_PUBLIC_ECR",
    "OCI_GENERIC_CR",
    "OCI_GITHUB_CR",
    "OCI_GITLAB_CR",
  ),
  description,
  url: Type.Optional(uri),
  skip_tls_verification: Type.Boolean(),
  config: secretConfig(
    "username",
    "password",
    "access_key_id",
    "secret_access_key",
    "region",
    "scaleway_access_key",
    "scaleway_secret_key",
    "scaleway_project_id",
    "azure_tenant_id",
    "azure_subscription_id",
    "role_arn",
  ),
});
export type HelmRepositoryRequest = Static<typeof HelmRepositoryRequest>;

/** A token has a scope from reference.md, or a role from the list of roles. */
export const ApiTokenRequest = Type.Object({
  name,
  description,
  scope: Type.Optional(nullable(oneOf("ADMIN", "READ", "DEPLOY", "WRITE"))),
  role_id: Type.Optional(nullable(id)),
  expires_at: Type.Optional(nullable(Type.String({ format: "date-time" }))),
});

/** The event names of notes.md and of reference.md. */
const webhookEvents = [
  "DEPLOYMENT_STARTED",
  "DEPLOYMENT_CANCELLED",
  "DEPLOYMENT_FAILURE",
  "DEPLOYMENT_SUCCESSFUL",
  "DEPLOYMENT_FAILED",
  "DEPLOYMENT_SUCCEEDED",
] as const;

export const WebhookRequest = Type.Object({
  kind: withDefault(oneOf("STANDARD", "SLACK"), "STANDARD"),
  target_url: uri,
  target_secret: text,
  description,
  enabled: Type.Optional(Type.Boolean({ default: true })),
  events: Type.Array(oneOf(...webhookEvents)),
  project_names_filter: Type.Optional(Type.Array(Type.String())),
  environment_types_filter: Type.Optional(Type.Array(environmentMode)),
});
export type WebhookRequest = Static<typeof WebhookRequest>;
