import { choice, flag, needed, object, text, withoutDefault } from "../schema/field.ts";
import { description } from "./fields.ts";
import { defineKind } from "./kind.ts";
import { organizationKind } from "./organization-kind.ts";
import { repositoryConfig, typeAsKind } from "./registry-config.ts";

const types = [
  "HTTPS",
  "OCI_ECR",
  "OCI_SCALEWAY_CR",
  "OCI_DOCKER_HUB",
  "OCI_PUBLIC_ECR",
  "OCI_GENERIC_CR",
  "OCI_GITHUB_CR",
  "OCI_GITLAB_CR",
];

/**
 * ```yaml
 * kind: HelmRepository
 * name: charts
 * type: HTTPS
 * url: https://charts.example.com
 * ```
 */
export const helmRepository = defineKind({
  name: "HelmRepository",
  description: "A repository from which Helm services get their charts.",
  ...organizationKind("helmRepository", { catalogue: "helmRepository" }),
  form: typeAsKind,
  fields: object({
    description,
    type: needed(choice(types, "Type of the repository.")),
    url: withoutDefault(text("URL of the repository.", { format: "uri" })),
    skip_tls_verification: flag("Whether its certificate is not verified.", {
      default: false,
      alwaysSent: true,
    }),
    config: repositoryConfig,
  }),
});
