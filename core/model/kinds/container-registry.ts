import { choice, needed, object, text, withoutDefault } from "../schema/field.ts";
import { description } from "./fields.ts";
import { defineKind } from "./kind.ts";
import { organizationKind } from "./organization-kind.ts";
import { registryConfig, typeAsKind } from "./registry-config.ts";

const types = [
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
];

/**
 * ```yaml
 * kind: ContainerRegistry
 * name: hub
 * type: GENERIC_CR
 * url: https://registry.example.com
 * config: { username: shop, password: { from_env: HUB_PASSWORD } }
 * ```
 */
export const containerRegistry = defineKind({
  name: "ContainerRegistry",
  description: "A container registry from which services get their images.",
  ...organizationKind("containerRegistry", { catalogue: "containerRegistry" }),
  form: typeAsKind,
  fields: object({
    description,
    type: needed(choice(types, "Type of the registry.")),
    url: withoutDefault(text("URL of the registry.", { format: "uri" })),
    config: registryConfig,
  }),
});
