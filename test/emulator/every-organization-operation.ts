import type { Client, Resource } from "../fixtures/client.ts";

/** Uses every operation of an organization besides those that services need, each with success. */
export async function everyOrganizationOperation(client: Client, root: string): Promise<void> {
  await client.list("/availableContainerRegistry");
  await client.list("/availableHelmRepository");
  await credentials(client, root);
  await roles(client, root);
  await members(client, root);
  await billing(client, root);
}

const vsphere = { vsphere_user: "root", vsphere_password: "secret" };
const keys = { access_key_id: "AKIA1", secret_access_key: "secret" };
const role = { role_arn: "arn:aws:iam::123456789012:role/infrasync" };

/** Bodies of credentials, as the paths name their providers. */
export const credentialsBodies: [path: string, body: object][] = [
  ["aws", { type: "AWS_STATIC", name: "aws", ...keys }],
  ["aws", { type: "AWS_ROLE", name: "aws-role", ...role }],
  ["aws", { type: "EKS_ANYWHERE_VSPHERE_STATIC", name: "vsphere", ...vsphere, ...keys }],
  ["aws", { type: "EKS_ANYWHERE_VSPHERE_ROLE", name: "vsphere-role", ...vsphere, ...role }],
  [
    "scaleway",
    {
      name: "scaleway",
      scaleway_access_key: "SCW1",
      scaleway_secret_key: "secret",
      scaleway_project_id: "p",
      scaleway_organization_id: "o",
    },
  ],
  ["gcp", { name: "gcp", gcp_credentials: "secret" }],
  [
    "gcp",
    {
      name: "gcp-federation",
      credential_type: "WORKLOAD_IDENTITY_FEDERATION",
      service_account_email: "a@acme.iam.gserviceaccount.com",
      workload_identity_provider_resource: "projects/42/locations/global/workloadIdentityPools/p/providers/q",
    },
  ],
  ["azure", { name: "azure", azure_subscription_id: "s", azure_tenant_id: "t" }],
  ["onPremise", { name: "cellar" }],
];

async function credentials(client: Client, root: string): Promise<void> {
  for (const [path, body] of credentialsBodies) {
    const made = await client.post(`${root}/${path}/credentials`, body);
    await client.list(`${root}/credentials`);
    await everyStep(client, `${root}/${path}/credentials`, made, body);
  }
}

async function roles(client: Client, root: string): Promise<void> {
  const { id } = await client.post(`${root}/customRole`, { name: "deployers" });
  const [project] = (await client.get(`${root}/customRole/${id}`))["project_permissions"] as object[];
  const token = await client.post(`${root}/apiToken`, { name: "limited", role_id: id });
  await client.delete(`${root}/apiToken/${token.id}`);
  await everyStep(
    client,
    `${root}/customRole`,
    { id },
    {
      name: "deployers",
      description: "of everything",
      cluster_permissions: [],
      project_permissions: project ? [project] : [],
    },
  );
}

/** List, get, edit, delete. */
async function everyStep(client: Client, path: string, { id }: Resource, edit: object): Promise<void> {
  await client.list(path);
  await client.get(`${path}/${id}`);
  await client.put(`${path}/${id}`, edit);
  await client.delete(`${path}/${id}`);
}

async function billing(client: Client, root: string): Promise<void> {
  await client.get(`${root}/billingInfo`);
  await client.put(`${root}/billingInfo`, billingInfo);
  await client.get(`${root}/billingInfo`);
  await client.get(`${root}/currentCost`);
  await client.list(`${root}/invoice`);
  const [cluster] = await client.list(`${root}/cluster`);
  await client.get(`${root}/cluster/${cluster?.id}/currentCost`);
}

/** A body of PUT /organization/{organizationId}/billingInfo with the required members. */
export const billingInfo = {
  first_name: "Ada",
  last_name: "Lovelace",
  email: "ada@acme.example",
  address: "12 St James's Square",
  city: "London",
  zip: "SW1Y 4JH",
  country_code: "GB",
};

async function members(client: Client, root: string): Promise<void> {
  await client.put("/account", { communication_email: "ada@example.com" });
  await client.get("/account");
  const owner = (await client.list(`${root}/availableRole`)).find(({ name }) => name === "Owner");
  const invite = async (email: string) =>
    (await client.post(`${root}/inviteMember`, { email, role_id: owner?.id })).id;
  const invited = await invite("grace@example.com");
  await client.list(`${root}/inviteMember`);
  await client.get(`${root}/inviteMember/${invited}`);
  await client.post(`${root}/inviteMember/${invited}`);
  await client.delete(`${root}/inviteMember/${await invite("alan@example.com")}`);
  const grace = (await client.list(`${root}/member`)).find(({ email }) => email === "grace@example.com");
  await client.put(`${root}/member`, { user_id: grace?.id, role_id: owner?.id });
  await client.ok("DELETE", `${root}/member`, { user_id: grace?.id });
}

/** Every operation on the deployment rules of a project. */
export async function everyRuleOperation(
  client: Client,
  projectId: string,
  clusterId: string,
): Promise<void> {
  const path = `/project/${projectId}/deploymentRule`;
  const rule = {
    name: "nights off",
    mode: "STAGING",
    cluster_id: clusterId,
    timezone: "Europe/Paris",
    start_time: "1970-01-01T08:00:00Z",
    stop_time: "1970-01-01T19:00:00Z",
    weekdays: ["MONDAY"],
    wildcard: "staging*",
  };
  const made = await client.post(path, rule);
  await client.put(`${path}/order`, { project_deployment_rule_ids_in_order: [made.id] });
  await everyStep(client, path, made, { ...rule, auto_stop: true, description: "of the week" });
}
