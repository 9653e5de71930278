import { expect, test } from "vitest";
import { credentialsBodies } from "../every-organization-operation.ts";
import { startWorld, unknownId } from "../start-world.ts";

/** A text that no response may contain. */
const canary = "canary-4f1d";

/** The members that only a request has. */
const secrets = new Set(["secret_access_key", "vsphere_password", "scaleway_secret_key", "gcp_credentials"]);

test("credentials of each provider can be read back without their secrets", async () => {
  const { client, organizationPath } = await startWorld();
  for (const [path, body] of credentialsBodies) {
    const withCanary = Object.entries(body).map(([member, value]) => [
      member,
      secrets.has(member) ? canary : (value as unknown),
    ]);
    await client.post(`${organizationPath}/${path}/credentials`, Object.fromEntries(withCanary));
  }
  const all = await client.list(`${organizationPath}/credentials`);
  const mine = all.map(({ credential }) => credential as Record<string, string>);
  expect(mine.map(({ name, object_type }) => `${name} ${object_type}`)).toEqual(
    expect.arrayContaining([
      "aws AWS",
      "aws-role AWS_ROLE",
      "vsphere EKS_ANYWHERE_VSPHERE",
      "vsphere-role EKS_ANYWHERE_VSPHERE",
      "scaleway SCW",
      "gcp GCP",
      "gcp-federation GCP_WORKLOAD_IDENTITY_FEDERATION",
      "azure AZURE",
      "cellar OTHER",
    ]),
  );
  const lists = await Promise.all(
    ["aws", "scaleway", "gcp", "azure", "onPremise"].map((path) =>
      client.list(`${organizationPath}/${path}/credentials`),
    ),
  );
  const events = await client.get(`${organizationPath}/events?pageSize=100`);
  expect(JSON.stringify([all, lists, events])).not.toContain(canary);
  expect(lists.map(({ length }) => length)).toEqual([5, 1, 2, 1, 1]);
});

test.for([
  ["aws", { name: "a", type: "AWS_ROLE" }, "role_arn is required"],
  ["aws", { name: "a", access_key_id: "b", secret_access_key: "c" }, "type: must be one of AWS_STATIC,"],
  ["aws", { type: "AWS_ROLE", role_arn: "r" }, "name is required"],
  ["gcp", { name: "a" }, "service_account_email is required"],
  ["scaleway", { name: "a", scaleway_access_key: "b" }, "scaleway_secret_key is required"],
  ["azure", { name: "a", azure_tenant_id: "" }, "azure_subscription_id is required"],
  ["onPremise", {}, "name is required"],
] as const)("%s credentials %j get 400", async ([path, body, message]) => {
  const { client, organizationPath } = await startWorld();
  const refusal = await client.fails("POST", `${organizationPath}/${path}/credentials`, body);
  expect(refusal).toMatchObject({ status: 400, message: expect.stringContaining(message) as string });
});

test("AWS credentials with an empty type have the type of their other members", async () => {
  const { client, organizationPath } = await startWorld();
  const path = `${organizationPath}/aws/credentials`;
  const keys = { access_key_id: "A", secret_access_key: "canary" };
  const made = [
    await client.post(path, { type: "", name: "keys", ...keys }),
    await client.post(path, { type: "", name: "role", role_arn: "arn:aws:iam::1:role/a" }),
  ];
  expect(made).toMatchObject([{ object_type: "AWS" }, { object_type: "AWS_ROLE" }]);
});

test("a PUT can turn static credentials into a role; another provider's path does not find them", async () => {
  const { client, organizationPath } = await startWorld();
  const path = `${organizationPath}/aws/credentials`;
  const body = { name: "main", type: "AWS_STATIC", access_key_id: "AKIA", secret_access_key: "s" };
  const { id } = await client.post(path, body);
  const edited = await client.put(`${path}/${id}`, { name: "main", type: "AWS_ROLE", role_arn: "arn" });
  expect(edited).toEqual({ id, name: "main", object_type: "AWS_ROLE", role_arn: "arn" });
  expect((await client.fails("GET", `${organizationPath}/gcp/credentials/${id}`)).status).toBe(404);
  expect((await client.fails("POST", path, { ...body, name: "MAIN" })).status).toBe(409);
});

test("credentials that a cluster uses cannot be deleted", async () => {
  const { client, organizationPath } = await startWorld();
  const path = `${organizationPath}/onPremise/credentials`;
  const { id } = await client.post(path, { name: "cellar" });
  const cluster = (credentialsId: string) => ({
    name: "rack",
    region: "here",
    cloud_provider: "ON_PREMISE",
    kubernetes: "SELF_MANAGED",
    cloud_provider_credentials: { cloud_provider: "ON_PREMISE", credentials: { id: credentialsId } },
  });
  expect(await client.fails("POST", `${organizationPath}/cluster`, cluster(unknownId))).toMatchObject({
    status: 400,
    message: expect.stringContaining("cloud_provider_credentials.credentials.id: ") as string,
  });
  const made = await client.post(`${organizationPath}/cluster`, cluster(id));
  expect(await client.fails("DELETE", `${path}/${id}`)).toEqual({
    status: 409,
    message: "cellar is used by cluster rack",
  });
  expect(await client.list(`${organizationPath}/credentials`)).toContainEqual({
    credential: { id, name: "cellar", object_type: "OTHER" },
    clusters: [{ id: made.id, name: "rack", cloud_provider: "ON_PREMISE" }],
  });
});
