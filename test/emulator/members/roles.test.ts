import { expect, test } from "vitest";
import { Client } from "../../fixtures/client.ts";
import { startWorld, unknownId } from "../start-world.ts";

test("the value of a token is shown once, and a deleted token gets 401", async () => {
  const { client, emulator, organizationPath } = await startWorld();
  const path = `${organizationPath}/apiToken`;
  const made = await client.post<{ id: string; token: string }>(path, { name: "ci", scope: "READ" });
  const ci = new Client(emulator.url, made.token);
  expect(JSON.stringify(await ci.list(path))).not.toContain(made.token);
  await client.delete(`${path}/${made.id}`);
  expect((await ci.call("GET", "/organization")).status).toBe(401);
  expect((await client.fails("DELETE", `${path}/${made.id}`)).status).toBe(404);
});

test("a custom role has the lowest permissions for the clusters and projects that it does not mention", async () => {
  const { client, emulator, organizationPath, projectId } = await startWorld();
  const path = `${organizationPath}/customRole`;
  const { id } = await client.post(path, { name: "team" });
  const noAccess = ["DEVELOPMENT", "PREVIEW", "STAGING", "PRODUCTION"].map((environment_type) => ({
    environment_type,
    permission: "NO_ACCESS",
  }));
  const [first, second] = emulator.clusters;
  expect(await client.get(`${path}/${id}`)).toEqual({
    id,
    name: "team",
    description: "",
    cluster_permissions: [
      { cluster_id: first?.id, cluster_name: first?.name, permission: "VIEWER" },
      { cluster_id: second?.id, cluster_name: second?.name, permission: "VIEWER" },
    ],
    project_permissions: [
      { project_id: projectId, project_name: "shop", is_admin: false, permissions: noAccess },
    ],
  });
  const staging = { environment_type: "STAGING", permission: "MANAGER" };
  const edited = await client.put(`${path}/${id}`, {
    name: "team",
    cluster_permissions: [{ cluster_id: second?.id, permission: "ENV_CREATOR" }],
    project_permissions: [{ project_id: projectId, permissions: [staging] }],
  });
  expect(edited).toMatchObject({
    cluster_permissions: [{ permission: "VIEWER" }, { permission: "ENV_CREATOR" }],
    project_permissions: [{ is_admin: false, permissions: [{}, {}, staging, { permission: "NO_ACCESS" }] }],
  });
});

test("a custom role with an unknown cluster or a project named twice gets 400", async () => {
  const { client, organizationPath, projectId } = await startWorld();
  const path = `${organizationPath}/customRole`;
  const { id } = await client.post(path, { name: "team" });
  const empty = { name: "team", cluster_permissions: [], project_permissions: [] };
  const unknown = { ...empty, cluster_permissions: [{ cluster_id: unknownId, permission: "ADMIN" }] };
  expect(await client.fails("PUT", `${path}/${id}`, unknown)).toMatchObject({
    status: 400,
    message: expect.stringContaining("cluster_permissions[0].cluster_id: ") as string,
  });
  const twice = { ...empty, project_permissions: [{ project_id: projectId }, { project_id: projectId }] };
  expect((await client.fails("PUT", `${path}/${id}`, twice)).message).toContain(
    "project_permissions[1].project_id: ",
  );
});

test("a custom role can be given to a token, and is then not deleted", async () => {
  const { client, organizationPath } = await startWorld();
  const { id } = await client.post(`${organizationPath}/customRole`, { name: "team" });
  expect(await client.list(`${organizationPath}/availableRole`)).toContainEqual({ id, name: "team" });
  const token = await client.post(`${organizationPath}/apiToken`, { name: "ci", role_id: id });
  expect(token).toMatchObject({ role_id: id, role_name: "team" });
  expect(await client.fails("DELETE", `${organizationPath}/customRole/${id}`)).toEqual({
    status: 409,
    message: "team is used by API token ci",
  });
  await client.delete(`${organizationPath}/apiToken/${token.id}`);
  await client.delete(`${organizationPath}/customRole/${id}`);
  expect(await client.list(`${organizationPath}/customRole`)).toEqual([]);
});

test("an organization has the roles of people, and each lets a token do what it says", async () => {
  const { client, emulator, organizationPath, projectId } = await startWorld();
  const roles = await client.list(`${organizationPath}/availableRole`);
  const statuses = await Promise.all(
    ["Owner", "DevOps", "Billing", "Viewer"].map(async (name) => {
      const id = roles.find((role) => role["name"] === name)?.id;
      const { token } = await client.post<{ token: string }>(`${organizationPath}/apiToken`, {
        name,
        role_id: id,
      });
      const own = new Client(emulator.url, token);
      const read = await own.call("GET", `/project/${projectId}`);
      const write = await own.call("PUT", `/project/${projectId}`, { name: "shop" });
      const made = await own.call("POST", `${organizationPath}/apiToken`, { name: `of ${name}` });
      return [name, read.status, write.status, made.status];
    }),
  );
  expect(statuses).toEqual([
    ["Owner", 200, 200, 201],
    ["DevOps", 200, 200, 403],
    ["Billing", 200, 403, 403],
    ["Viewer", 200, 403, 403],
  ]);
});
