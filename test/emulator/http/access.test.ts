import { expect, test } from "vitest";
import { createEmulator } from "../../../emulator/index.ts";
import { Client } from "../../fixtures/client.ts";
import { startWorld } from "../start-world.ts";

test.for([
  ["no header", undefined],
  ["an unknown token", "Token 0123456789"],
  ["another scheme", "Basic abc"],
  ["no token", "Token "],
] as const)("%s gets 401 with the error body", async ([, authorization]) => {
  const { emulator } = await startWorld();
  const headers = authorization === undefined ? {} : { authorization };
  const response = await fetch(`${emulator.url}/organization`, { headers });
  expect(response.status).toBe(401);
  expect(await response.json()).toMatchObject({
    status: 401,
    error: "Unauthorized",
    message: expect.any(String) as string,
  });
});

test("both authorization schemes are accepted", async () => {
  const { emulator } = await startWorld();
  for (const scheme of ["Token", "Bearer", "bearer"]) {
    const client = new Client(emulator.url, emulator.tokens.read, scheme);
    expect(await client.list("/organization")).toMatchObject([emulator.organization]);
  }
});

test("a scope allows its operations and no others", async () => {
  const { emulator, client, job, environmentId, projectId, organizationPath } = await startWorld();
  const { id } = await client.post(`/environment/${environmentId}/job`, job("a"));
  const webhook = { target_url: "http://127.0.0.1:9/", events: [] };
  const operations: [string, string, string, unknown?][] = [
    ["read deploy write admin", "GET", `/job/${id}`],
    ["read deploy write admin", "GET", `${organizationPath}/webhook`],
    ["deploy admin", "POST", `/job/${id}/deploy`],
    ["deploy admin", "POST", `/environment/${environmentId}/cancelDeployment`],
    ["write admin", "PUT", `/job/${id}`, job("a")],
    ["write admin", "POST", `/environment/${environmentId}/service/delete`, { job_ids: [] }],
    ["write admin", "DELETE", `/variable/${id}`],
    ["admin", "POST", `${organizationPath}/webhook`, webhook],
    ["admin", "POST", `${organizationPath}/apiToken`, { name: "x", role_id: null }],
    ["admin", "DELETE", `/environment/${environmentId}`],
    ["admin", "DELETE", `/project/${projectId}`],
  ];
  for (const [allowed, method, path, body] of operations) {
    for (const [name, token] of Object.entries(emulator.tokens)) {
      const { status } = await new Client(emulator.url, token).call(method, path, body);
      expect(`${method} ${path} by ${name}: ${status === 403 ? "no" : "yes"}`).toBe(
        `${method} ${path} by ${name}: ${allowed.includes(name) ? "yes" : "no"}`,
      );
    }
  }
});

test("a token without the scope gets 403 with the name of the scope", async () => {
  const { emulator, projectId } = await startWorld();
  const reader = new Client(emulator.url, emulator.tokens.read);
  expect(await reader.fails("PUT", `/project/${projectId}`, { name: "x" })).toEqual({
    status: 403,
    message: "the token has the scope Read; this needs Write or Admin",
  });
});

test("an API token is shown once, has its role, and expires at its date", async () => {
  const { emulator, client, organizationPath, advance } = await startWorld();
  const path = `${organizationPath}/apiToken`;
  const roleId = async (name: string) => (await client.list(`${path}?name=${name}`))[0]?.["role_id"];
  const expires_at = new Date(Date.now() + 3_600_000).toISOString();
  const made = await client.post(path, { name: "ci", role_id: await roleId("deploy"), expires_at });
  expect(made).toMatchObject({ name: "ci", role_name: "Deploy", token: expect.any(String) as string });
  expect(JSON.stringify(await client.get(path))).not.toContain(made["token"]);

  const mine = new Client(emulator.url, String(made["token"]));
  expect((await mine.call("GET", "/organization")).status).toBe(200);
  expect((await mine.call("PUT", `${organizationPath}`, { name: "x" })).status).toBe(403);
  await advance(3_700_000);
  expect((await mine.call("GET", "/organization")).status).toBe(401);
  expect((await client.fails("POST", path, { name: "CI", role_id: null })).status).toBe(409);
});

test("tokens differ at each start", async () => {
  const seen = new Set<string>();
  for (let start = 0; start < 2; start += 1) {
    const emulator = await createEmulator();
    for (const token of Object.values(emulator.tokens)) seen.add(token);
    await emulator.close();
  }
  expect(seen.size).toBe(8);
});
