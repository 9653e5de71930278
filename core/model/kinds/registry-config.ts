import { secretField } from "../parts/index.ts";
import { type Fields, isFields } from "../../values/json.ts";
import { choice, object, wholeNumber, withoutDefault } from "../schema/field.ts";
import type { FieldSchema } from "../schema/field-schema.ts";
import { optionalWord } from "./fields.ts";
import type { Form } from "./kind-members.ts";

const basic = { username: optionalWord("User name."), password: secretField("Password.", "username") };

const aws = {
  access_key_id: optionalWord("Id of an AWS access key."),
  secret_access_key: secretField("The AWS access key.", "access_key_id"),
};

const scaleway = {
  scaleway_access_key: optionalWord("Id of a Scaleway access key."),
  scaleway_secret_key: secretField("The Scaleway access key.", "scaleway_access_key"),
  scaleway_project_id: optionalWord("Scaleway project."),
};

const azure = {
  azure_tenant_id: optionalWord("Azure tenant."),
  azure_subscription_id: optionalWord("Azure subscription."),
};

const keySign = "has_json_credentials";

const google = { json_credentials: secretField("The key of a Google service account, as JSON.", keySign) };

const googleFederation = {
  gcp_credentials_type: withoutDefault(
    choice(["workload_identity_federation"], "How to get Google credentials without a key."),
  ),
  project_id: optionalWord("Google project."),
  service_account_email: optionalWord("Google service account."),
  workload_identity_provider_resource: optionalWord("Google workload identity provider."),
  token_lifetime_seconds: withoutDefault(
    wholeNumber("Seconds for which a Google token is valid.", { minimum: 1 }),
  ),
};

const role = { role_arn: optionalWord("AWS role to assume.") };

function config(...ways: Record<string, FieldSchema>[]): FieldSchema {
  return object(
    "Access to the registry: the members that its type needs.",
    { region: optionalWord("Region."), ...Object.assign({}, ...ways) },
    {
      alternatives: ways.map((way) => Object.keys(way)),
      default: {},
      alwaysSent: true,
      facts: ["azure_application_id", "azure_application_object_id", keySign],
    },
  );
}

export const registryConfig = config(basic, aws, role, scaleway, google, googleFederation, azure);

export const repositoryConfig = config(basic, aws, role, scaleway, azure);

/** The API calls the type `kind`, which a document uses otherwise. An empty URL means none. */
export const typeAsKind: Form = {
  inRequestForm({ kind, url, ...response }) {
    const given = response["config"];
    const isKey = kind === "GCP_ARTIFACT_REGISTRY" && isFields(given) && !given["gcp_credentials_type"];
    return {
      ...response,
      ...(url !== undefined && url !== "" && { url }),
      ...(kind !== undefined && { type: kind }),
      ...(isKey && { config: { ...given, [keySign]: true } }),
    };
  },
  finishBody: ({ type, ...body }: Fields) => ({ ...body, ...(type !== undefined && { kind: type }) }),
};
