import { type Fields, textIn } from "../../values/json.ts";
import { field, say } from "../../problems/say.ts";
import { choice, needed, object, text, word } from "../schema/field.ts";
import type { FieldSchema } from "../schema/field-schema.ts";
import { withoutVersionSuffix } from "../../secrets/index.ts";
import { secretFieldOfName } from "../parts/index.ts";
import { optionalWord } from "./fields.ts";
import { defineKind, type Kind, type KindDefinition } from "./kind.ts";
import { organizationKind } from "./organization-kind.ts";

/** The API has no description of credentials, so their names end with the versions of their secrets. */
const names = { of: (response: Fields) => withoutVersionSuffix(textIn(response, "name")) };

/** Credentials with which the API manages clusters at a provider. */
function credentials(
  name: string,
  segment: string,
  provider: string,
  fields: FieldSchema,
  rules: Pick<KindDefinition, "form" | "problem"> = {},
): Kind {
  return defineKind({
    name,
    description: `Credentials with which the API manages clusters ${provider}.`,
    ...organizationKind(`${segment}/credentials`, { catalogue: "credentials" }),
    names,
    isInfrastructure: true,
    isUndated: true,
    fields,
    ...rules,
  });
}

const keys = ["access_key_id", "secret_access_key"];
const vsphere = ["vsphere_user", "vsphere_password"];

/** The required members of each type of AWS credentials. */
const awsTypes: Record<string, readonly string[]> = {
  AWS_STATIC: keys,
  AWS_ROLE: ["role_arn"],
  EKS_ANYWHERE_VSPHERE_STATIC: [...vsphere, ...keys],
  EKS_ANYWHERE_VSPHERE_ROLE: [...vsphere, "role_arn"],
};

/**
 * ```yaml
 * kind: AwsCredentials
 * name: production
 * type: AWS_ROLE
 * role_arn: arn:aws:iam::123456789012:role/infrasync
 * ```
 */
export const awsCredentials = credentials(
  "AwsCredentials",
  "aws",
  "at AWS",
  object(
    undefined,
    {
      type: needed(choice(Object.keys(awsTypes), "Type of the credentials.")),
      access_key_id: optionalWord("Id of an AWS access key."),
      secret_access_key: secretFieldOfName("The AWS access key.", "access_key_id"),
      role_arn: optionalWord("AWS role to assume."),
      vsphere_user: optionalWord("User of vSphere."),
      vsphere_password: secretFieldOfName("Password of that user.", "vsphere_user"),
    },
    { alternatives: [["access_key_id", "secret_access_key"], ["role_arn"]] },
  ),
  {
    form: { inRequestForm: (response) => ({ ...response, type: awsType(response) }) },
    problem({ desired }) {
      const type = String(desired["type"]);
      const missing = (awsTypes[type] ?? []).find((member) => desired[member] === undefined);
      return missing === undefined
        ? undefined
        : { field: missing, message: say`the type ${type} needs ${field([missing])}` };
    },
  },
);

/** The type in request form, which a response spells differently. */
function awsType({ object_type: type, role_arn: role }: Fields): string {
  const how = typeof role === "string" && role !== "" ? "ROLE" : "STATIC";
  return type === "EKS_ANYWHERE_VSPHERE" ? `EKS_ANYWHERE_VSPHERE_${how}` : `AWS_${how}`;
}

/**
 * ```yaml
 * kind: ScalewayCredentials
 * name: production
 * scaleway_access_key: SCWEXAMPLE
 * scaleway_secret_key: { from_env: SCALEWAY_SECRET_KEY }
 * scaleway_project_id: 0a5c…
 * scaleway_organization_id: 77d1…
 * ```
 */
export const scalewayCredentials = credentials(
  "ScalewayCredentials",
  "scaleway",
  "at Scaleway",
  object({
    scaleway_access_key: needed(word("Id of a Scaleway access key.")),
    scaleway_secret_key: needed(secretFieldOfName("The Scaleway access key.")),
    scaleway_project_id: needed(word("Scaleway project.")),
    scaleway_organization_id: needed(word("Scaleway organization.")),
  }),
);

/** The member that shows that a hidden key is set. */
const keySign = "has_gcp_credentials";

/**
 * ```yaml
 * kind: GcpCredentials
 * name: production
 * service_account_email: infrasync@acme.iam.gserviceaccount.com
 * workload_identity_provider_resource: projects/1234/locations/global/workloadIdentityPools/ci/providers/infrasync
 * ```
 */
export const gcpCredentials = credentials(
  "GcpCredentials",
  "gcp",
  "at Google Cloud",
  object(
    "A key, or a service account and a workload identity provider.",
    {
      gcp_credentials: secretFieldOfName("The key of a service account, as JSON.", keySign),
      service_account_email: optionalWord("Service account."),
      workload_identity_provider_resource: optionalWord("Workload identity provider."),
    },
    {
      alternatives: [["gcp_credentials"], ["service_account_email", "workload_identity_provider_resource"]],
      needsOneOf: ["gcp_credentials", "service_account_email"],
    },
  ),
  { form: { inRequestForm: (response) => ({ ...response, [keySign]: response["object_type"] === "GCP" }) } },
);

/**
 * ```yaml
 * kind: AzureCredentials
 * name: production
 * azure_tenant_id: 8d2c…
 * azure_subscription_id: 51fe…
 * ```
 */
export const azureCredentials = credentials(
  "AzureCredentials",
  "azure",
  "at Azure",
  object({
    azure_tenant_id: needed(text("Azure tenant.", { minLength: 1 })),
    azure_subscription_id: needed(text("Azure subscription.", { minLength: 1 })),
  }),
);

/**
 * ```yaml
 * kind: OnPremiseCredentials
 * name: cellar
 * ```
 */
export const onPremiseCredentials = credentials(
  "OnPremiseCredentials",
  "onPremise",
  "on premise",
  object({}),
);

/** Credentials of any provider, to which clusters refer: one list has all. */
export const cloudCredentials = defineKind({
  name: "CloudCredentials",
  description: "Credentials of any provider.",
  ...organizationKind("credentials", {
    catalogue: "credentials",
    listing: { elementMember: "credential", isOnlyWay: true },
  }),
  use: "reference",
  names,
  fields: object({}),
});
