import { expect, test } from "vitest";
import { platformDefaults } from "../../../emulator/world/defaults.ts";
import { startWorld } from "../start-world.ts";

type Provider = [provider: string, more: object, nodes: object];

const karpenter = {
  features: [
    {
      id: "KARPENTER",
      value: {
        spot_enabled: false,
        disk_size_in_gib: 50,
        default_service_architecture: "AMD64",
        qovery_node_pools: { requirements: [] },
      },
    },
  ],
};

const providers: Provider[] = [
  ["AWS", {}, { min_running_nodes: 3, max_running_nodes: 10, instance_type: "t3.xlarge", disk_size: 40 }],
  ["AWS", karpenter, { min_running_nodes: 1, max_running_nodes: 1, instance_type: "KARPENTER" }],
  ["AWS", { ...karpenter, min_running_nodes: 2 }, { min_running_nodes: 2, max_running_nodes: 2 }],
  ["AWS", { min_running_nodes: 12 }, { min_running_nodes: 12, max_running_nodes: 12 }],
  ["AWS", { max_running_nodes: 2 }, { min_running_nodes: 2, max_running_nodes: 2 }],
  ["GCP", { min_running_nodes: 4 }, { min_running_nodes: 4, max_running_nodes: 4 }],
  ["SCW", {}, { min_running_nodes: 3, max_running_nodes: 10, instance_type: "DEV1-L" }],
  ["AZURE", {}, { min_running_nodes: 3, max_running_nodes: 10, instance_type: "Standard_DS2_v2" }],
  ["GCP", {}, { min_running_nodes: 1, max_running_nodes: 1, instance_type: "AUTO_PILOT" }],
];

test.each(providers)(
  "the platform chooses the nodes that a cluster of %s with %j leaves out: %j",
  async (cloud_provider, more, nodes) => {
    const { client, organizationPath } = await startWorld();
    const body = { name: "rack", region: "eu-west-3", cloud_provider, ...more };
    expect(await client.post(`${organizationPath}/cluster`, body)).toMatchObject(nodes);
  },
);

test("a server with the defaults of the description sets none of those of the platform", async () => {
  const { client, organizationPath, environmentId } = await startWorld({
    behaviour: { schema_defaults: [...platformDefaults] },
  });
  const body = { name: "rack", region: "eu-west-3", cloud_provider: "AWS" };
  const cluster = await client.post(`${organizationPath}/cluster`, body);
  expect(cluster).toMatchObject({ min_running_nodes: 1, max_running_nodes: 1 });
  expect(cluster).not.toHaveProperty("instance_type");
  const managed = { name: "orders", type: "POSTGRESQL", version: "16", mode: "MANAGED" };
  await client.post(`/environment/${environmentId}/database`, managed);
});

test("a lifecycle job is GENERIC for ever, and a managed database needs its instance type", async () => {
  const { client, job, environmentId } = await startWorld();
  const schedule = { on_start: { arguments: ["x"] } };
  const made = await client.post(`/environment/${environmentId}/job`, job("a", { schedule }));
  expect(made).toMatchObject({ auto_deploy: true, schedule: { lifecycle_type: "GENERIC" } });
  const changed = job("a", { schedule: { ...schedule, lifecycle_type: "TERRAFORM" } });
  expect(await client.fails("PUT", `/job/${made.id}`, changed)).toMatchObject({
    status: 400,
    message: expect.stringContaining("schedule.lifecycle_type: cannot be changed") as string,
  });
  const managed = { name: "orders", type: "POSTGRESQL", version: "16", mode: "MANAGED" };
  expect(await client.fails("POST", `/environment/${environmentId}/database`, managed)).toMatchObject({
    status: 400,
    message: expect.stringContaining("instance_type") as string,
  });
});
