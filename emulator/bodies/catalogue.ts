import { Type, type Static } from "typebox";
import kinds from "./catalogue-kinds.json" with { type: "json" };
import { description, name, oneOf, text, uri } from "./common.ts";

/** Each kind of registry and of Helm repository with the members of its configuration that it needs. */
export const { registries: registryKinds, helmRepositories: helmRepositoryKinds } = kinds;

/** The credentials of registries, which Helm repositories in registries have too. */
const registryCredentials = {
  access_key_id: text,
  secret_access_key: text,
  region: text,
  scaleway_access_key: text,
  scaleway_secret_key: text,
  scaleway_project_id: text,
  username: text,
  password: text,
  role_arn: text,
  azure_tenant_id: text,
  azure_subscription_id: text,
};

export const ContainerRegistryRequest = Type.Object({
  name,
  kind: oneOf(...(Object.keys(registryKinds) as (keyof typeof registryKinds)[])),
  description,
  url: Type.Optional(uri),
  config: Type.Object({
    ...registryCredentials,
    json_credentials: text,
    gcp_credentials_type: Type.Optional(oneOf("workload_identity_federation")),
    project_id: text,
    service_account_email: text,
    workload_identity_provider_resource: text,
    token_lifetime_seconds: Type.Optional(Type.Integer()),
  }),
});
export type ContainerRegistryRequest = Static<typeof ContainerRegistryRequest>;

export const HelmRepositoryRequest = Type.Object({
  name,
  kind: oneOf(...(Object.keys(helmRepositoryKinds) as (keyof typeof helmRepositoryKinds)[])),
  description,
  url: Type.Optional(uri),
  skip_tls_verification: Type.Boolean(),
  config: Type.Object(registryCredentials),
});
export type HelmRepositoryRequest = Static<typeof HelmRepositoryRequest>;

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
