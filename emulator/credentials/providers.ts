import type { TSchema } from "typebox";
import { invalid } from "../world/errors.ts";
import type { Credentials } from "../world/records.ts";
import { uuidOf } from "../world/uuid.ts";
import * as schemas from "../bodies/credentials.ts";
import type { CredentialsBody, Provider } from "../bodies/credentials.ts";

export const providers: {
  provider: Provider;
  /** Its part of a path: `/organization/{organizationId}/aws/credentials`. */
  path: string;
  /** Adds members that clients may omit; default: none. */
  complete?(body: CredentialsBody): CredentialsBody;
  /** The schema of a body; throws 400 if the body does not tell. */
  schemaFor(body: Record<string, unknown>): TSchema;
  /** The members of a response besides id and name: never a secret. */
  view(body: CredentialsBody, id: string): object;
}[] = [
  { provider: "AWS", path: "aws", complete: withAwsType, schemaFor: awsSchema, view: awsView },
  {
    provider: "SCW",
    path: "scaleway",
    schemaFor: () => schemas.ScalewayRequest,
    view: ({ scaleway_access_key, scaleway_project_id, scaleway_organization_id }) => ({
      object_type: "SCW",
      scaleway_access_key,
      scaleway_project_id,
      scaleway_organization_id,
    }),
  },
  { provider: "GCP", path: "gcp", schemaFor: gcpSchema, view: gcpView },
  {
    provider: "AZURE",
    path: "azure",
    schemaFor: () => schemas.AzureRequest,
    view: ({ azure_subscription_id, azure_tenant_id }, id) => ({
      object_type: "AZURE",
      azure_subscription_id,
      azure_tenant_id,
      azure_application_id: uuidOf(`application of ${id}`),
      azure_application_object_id: uuidOf(`application object of ${id}`),
    }),
  },
  {
    provider: "ON_PREMISE",
    path: "onPremise",
    schemaFor: () => schemas.OnPremiseRequest,
    view: () => ({ object_type: "OTHER" }),
  },
];

export function credentialsView({ id, name, spec }: Credentials): object {
  const rules = providers.find(({ provider }) => provider === spec.provider);
  return { id, name, ...rules?.view(spec.body, id) };
}

/** Some clients send an empty type: the other members tell it. */
function withAwsType(body: CredentialsBody): CredentialsBody {
  if (body["type"] !== "") return body;
  return { ...body, type: body["role_arn"] === undefined ? "AWS_STATIC" : "AWS_ROLE" };
}

function awsSchema({ type }: Record<string, unknown>): TSchema {
  const schema = schemas.awsRequests[String(type)];
  if (!schema) throw invalid("type", `must be one of ${Object.keys(schemas.awsRequests).join(",")}`);
  return schema;
}

function awsView({ type, access_key_id, role_arn, vsphere_user }: CredentialsBody): object {
  if (type === "AWS_STATIC") return { object_type: "AWS", access_key_id };
  if (type === "AWS_ROLE") return { object_type: "AWS_ROLE", role_arn };
  return {
    object_type: "EKS_ANYWHERE_VSPHERE",
    vsphere_user,
    access_key_id: access_key_id ?? null,
    role_arn: role_arn ?? null,
  };
}

/** A body with a key is one of a service account, any other one of workload identity federation. */
function gcpSchema({ gcp_credentials }: Record<string, unknown>): TSchema {
  return gcp_credentials === undefined ? schemas.GcpFederationRequest : schemas.GcpKeyRequest;
}

function gcpView(body: CredentialsBody): object {
  const { gcp_credentials, service_account_email, workload_identity_provider_resource: resource = "" } = body;
  if (gcp_credentials !== undefined) return { object_type: "GCP" };
  return {
    object_type: "GCP_WORKLOAD_IDENTITY_FEDERATION",
    project_id: /projects\/([^/]+)/.exec(resource)?.[1] ?? "",
    service_account_email,
    workload_identity_provider_resource: resource,
    token_lifetime_seconds: 3600,
  };
}
