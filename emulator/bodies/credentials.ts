import { Type, type TSchema } from "typebox";
import { name, oneOf } from "./common.ts";

const given = Type.String({ minLength: 1 });

const keys = { access_key_id: given, secret_access_key: given };
const role = { role_arn: given };
const vsphere = { vsphere_user: given, vsphere_password: given };

export const awsRequests: Record<string, TSchema> = {
  AWS_STATIC: Type.Object({ type: oneOf("AWS_STATIC"), name, ...keys }),
  AWS_ROLE: Type.Object({ type: oneOf("AWS_ROLE"), name, ...role }),
  EKS_ANYWHERE_VSPHERE_STATIC: Type.Object({
    type: oneOf("EKS_ANYWHERE_VSPHERE_STATIC"),
    name,
    ...vsphere,
    ...keys,
  }),
  EKS_ANYWHERE_VSPHERE_ROLE: Type.Object({
    type: oneOf("EKS_ANYWHERE_VSPHERE_ROLE"),
    name,
    ...vsphere,
    ...role,
  }),
};

export const GcpKeyRequest = Type.Object({
  name,
  credential_type: Type.Optional(oneOf("SERVICE_ACCOUNT_KEY")),
  gcp_credentials: given,
});

export const GcpFederationRequest = Type.Object({
  name,
  credential_type: Type.Optional(oneOf("WORKLOAD_IDENTITY_FEDERATION", "WIF")),
  service_account_email: given,
  workload_identity_provider_resource: given,
});

export const ScalewayRequest = Type.Object({
  name,
  scaleway_access_key: given,
  scaleway_secret_key: given,
  scaleway_project_id: given,
  scaleway_organization_id: given,
});

export const AzureRequest = Type.Object({ name, azure_subscription_id: given, azure_tenant_id: given });

export const OnPremiseRequest = Type.Object({ name });

/** The providers as the cloud provider of a cluster names them. */
export type Provider = "AWS" | "SCW" | "GCP" | "AZURE" | "ON_PREMISE";

/** A body of a provider. The schema that `schemaFor` chooses for it decides on its members. */
export type CredentialsBody = { name: string } & Record<string, string | undefined>;

export interface CredentialsSpec {
  provider: Provider;
  body: CredentialsBody;
}
