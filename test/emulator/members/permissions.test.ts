import { expect, test } from "vitest";
import { Client } from "../../fixtures/client.ts";
import { startWorld } from "../start-world.ts";
import type { TestWorld } from "../start-world.ts";

interface Permissions {
  /** Of the modes of the project "shop". */
  modes?: Record<string, string>;
  isAdmin?: boolean;
  /** Of the first cluster. */
  cluster?: string;
}

/** A client whose token has a custom role. */
async function clientWith(world: TestWorld, permissions: Permissions): Promise<Client> {
  const { client, emulator, organizationPath, projectId } = world;
  const { modes = {}, isAdmin = false, cluster } = permissions;
  const { id } = await client.post(`${organizationPath}/customRole`, { name: "team" });
  await client.put(`${organizationPath}/customRole/${id}`, {
    name: "team",
    cluster_permissions: cluster ? [{ cluster_id: emulator.clusters[0]?.id, permission: cluster }] : [],
    project_permissions: [
      {
        project_id: projectId,
        is_admin: isAdmin,
        permissions: Object.entries(modes).map(([environment_type, permission]) => ({
          environment_type,
          permission,
        })),
      },
    ],
  });
  const made = await client.post<{ token: string }>(`${organizationPath}/apiToken`, {
    name: "limited",
    role_id: id,
  });
  return new Client(emulator.url, made.token);
}

async function statusOf(client: Client, method: string, path: string, body?: unknown): Promise<number> {
  return (await client.call(method, path, body)).status;
}

test.for([
  ["NO_ACCESS", [403, 403, 403, 403]],
  ["VIEWER", [200, 403, 403, 403]],
  ["DEPLOYER", [200, 202, 403, 403]],
  ["MANAGER", [200, 202, 200, 201]],
] as const)(
  "a role with %s for development may read, deploy, change and add: %j",
  async ([level, expected]) => {
    const world = await startWorld({ behaviour: { deploy_delay_ms: 0 } });
    const { client, job, environmentId } = world;
    const { id } = await client.post(`/environment/${environmentId}/job`, job("a"));
    const limited = await clientWith(world, { modes: { DEVELOPMENT: level } });
    const variable = {
      key: "K",
      value: "1",
      is_secret: false,
      variable_scope: "JOB",
      variable_parent_id: id,
    };
    expect([
      await statusOf(limited, "GET", `/job/${id}`),
      await statusOf(limited, "POST", `/job/${id}/deploy`),
      await statusOf(limited, "PUT", `/job/${id}`, job("a")),
      await statusOf(limited, "POST", "/variable", variable),
    ]).toEqual(expected);
  },
);

test("lists leave out what a role may not read", async () => {
  const world = await startWorld();
  const { client, projectId, organizationPath } = world;
  await client.post(`/project/${projectId}/environment`, { name: "live", mode: "PRODUCTION" });
  await client.post(`${organizationPath}/project`, { name: "hidden" });
  const limited = await clientWith(world, { modes: { PRODUCTION: "VIEWER" } });
  const namesOf = async (path: string) => (await limited.list(path)).map(({ name }) => name);
  expect(await namesOf(`${organizationPath}/project`)).toEqual(["shop"]);
  expect(await namesOf(`/project/${projectId}/environment`)).toEqual(["live"]);
  expect(await namesOf(`${organizationPath}/environments`)).toEqual(["live"]);
});

test("a role that manages staging may create environments of staging on a cluster where it may, and no others", async () => {
  const world = await startWorld();
  const { emulator, projectId, environmentId } = world;
  const limited = await clientWith(world, { modes: { STAGING: "MANAGER" }, cluster: "ENV_CREATOR" });
  const [first, second] = emulator.clusters;
  const create = async (name: string, mode: string, cluster?: string) =>
    statusOf(limited, "POST", `/project/${projectId}/environment`, { name, mode, cluster });
  expect(await create("a", "STAGING", first?.id)).toBe(201);
  expect(await create("b", "STAGING", second?.id)).toBe(403);
  expect(await create("c", "PRODUCTION", first?.id)).toBe(403);
  expect(await statusOf(limited, "DELETE", `/environment/${environmentId}`)).toBe(403);
  const [staging] = await limited.list(`/project/${projectId}/environment`);
  expect(await statusOf(limited, "DELETE", `/environment/${staging?.id}`)).toBe(204);
});

test("the admin of a project changes it, and nothing else of the organization", async () => {
  const world = await startWorld();
  const { organizationPath, projectId, environmentId, client } = world;
  const other = await client.post(`${organizationPath}/project`, { name: "other" });
  const limited = await clientWith(world, { isAdmin: true });
  const group = { name: "l", labels: [] };
  expect(await statusOf(limited, "PUT", `/project/${projectId}`, { name: "store" })).toBe(200);
  expect(await statusOf(limited, "PUT", `/environment/${environmentId}`, { name: "e" })).toBe(200);
  expect(await statusOf(limited, "PUT", `/project/${other.id}`, { name: "mine" })).toBe(403);
  expect(await statusOf(limited, "GET", `/project/${other.id}`)).toBe(403);
  expect(await statusOf(limited, "GET", `${organizationPath}/labelsGroups`)).toBe(200);
  expect(await limited.fails("POST", `${organizationPath}/labelsGroups`, group)).toEqual({
    status: 403,
    message: "the role team of the token does not allow this on the organization; it needs Admin or Write",
  });
  expect(await statusOf(limited, "POST", `${organizationPath}/project`, { name: "new" })).toBe(403);
});

test("a change of a role holds for its tokens at once", async () => {
  const world = await startWorld();
  const { client, organizationPath, environmentId } = world;
  const limited = await clientWith(world, { modes: { DEVELOPMENT: "VIEWER" } });
  expect(await statusOf(limited, "GET", `/environment/${environmentId}`)).toBe(200);
  const [role] = await client.list(`${organizationPath}/customRole`);
  const nothing = { name: "team", cluster_permissions: [], project_permissions: [] };
  await client.put(`${organizationPath}/customRole/${role?.id}`, nothing);
  expect(await statusOf(limited, "GET", `/environment/${environmentId}`)).toBe(403);
});
