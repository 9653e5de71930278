import { expect, test } from "vitest";
import type { Resource } from "../../fixtures/client.ts";
import { startWorld, unknownId } from "../start-world.ts";

test("a clone has the same configuration under another name, by default at once", async () => {
  const { client, job, environmentId, projectId } = await startWorld();
  const target = await client.post(`/project/${projectId}/environment`, { name: "production" });
  const source = await client.post(
    `/environment/${environmentId}/job`,
    job("migrate", { cpu: 700, description: "d", schedule: { on_start: { arguments: ["up"] } } }),
  );
  const answer = await client.call("POST", `/job/${source.id}/clone`, {
    name: "migrate-2",
    environment_id: target.id,
  });
  expect(answer.status).toBe(202);
  const { id, created_at, updated_at, ...configuration } = source;
  expect(answer.body).toMatchObject({ ...configuration, name: "migrate-2", environment: { id: target.id } });
  expect(await client.get(`/job/${answer.body.id}`)).toEqual(answer.body);
  expect([id, created_at, updated_at]).not.toContain(answer.body.id);
});

test("the parts of a cloned application have new ids", async () => {
  const { client, environmentId } = await startWorld();
  interface WithPorts extends Resource {
    ports: Resource[];
  }
  const source = await client.post<WithPorts>(`/environment/${environmentId}/application`, {
    name: "web",
    git_repository: { url: "https://github.com/acme/web" },
    ports: [{ internal_port: 80, publicly_accessible: false }],
  });
  const body = { name: "web-2", environment_id: environmentId };
  const clone = await client.post<WithPorts>(`/application/${source.id}/clone`, body);
  expect(clone.ports[0]).toMatchObject({ internal_port: 80 });
  expect(clone.ports[0]?.id).not.toBe(source.ports[0]?.id);
});

test("a clone is readable after its delay, and its name is taken from the request on", async () => {
  const { client, job, environmentId, advance } = await startWorld({ behaviour: { clone_delay_ms: 5000 } });
  const jobs = `/environment/${environmentId}/job`;
  const source = await client.post(jobs, job("a"));
  const clone = await client.post(`/job/${source.id}/clone`, { name: "b", environment_id: environmentId });
  await advance(4999);
  expect((await client.fails("GET", `/job/${clone.id}`)).status).toBe(404);
  expect(await client.list(`/environment/${environmentId}/services`)).toHaveLength(1);
  expect((await client.fails("POST", jobs, job("B"))).status).toBe(409);
  await advance(1);
  expect(await client.get(`/job/${clone.id}`)).toEqual(clone);
  expect(await client.list(jobs)).toHaveLength(2);
});

test("a clone gets 409 while another operation uses the source or the target", async () => {
  const { client, job, environmentId, projectId, advance } = await startWorld({
    behaviour: { clone_delay_ms: 1000 },
  });
  const target = await client.post(`/project/${projectId}/environment`, { name: "production" });
  const a = await client.post(`/environment/${environmentId}/job`, job("a"));
  const b = await client.post(`/environment/${environmentId}/job`, job("b"));
  await client.post(`/job/${a.id}/clone`, { name: "a", environment_id: target.id });
  const again = { name: "a-2", environment_id: environmentId };
  expect(await client.fails("POST", `/job/${a.id}/clone`, again)).toMatchObject({
    status: 409,
    message: expect.stringContaining("another operation is in progress") as string,
  });
  const intoBusy = { name: "b", environment_id: target.id };
  expect((await client.fails("POST", `/job/${b.id}/clone`, intoBusy)).status).toBe(409);
  expect((await client.fails("POST", `/environment/${environmentId}/clone`, { name: "x" })).status).toBe(409);
  await advance(1000);
  await client.post(`/job/${a.id}/clone`, again);
  await client.post(`/job/${b.id}/clone`, intoBusy);
});

test("a clone gets 409 while the source is being deployed", async () => {
  const { client, job, environmentId, advance } = await startWorld({ behaviour: { deploy_delay_ms: 3000 } });
  const source = await client.post(`/environment/${environmentId}/job`, job("a"));
  await client.post(`/job/${source.id}/deploy`);
  const body = { name: "b", environment_id: environmentId };
  expect((await client.fails("POST", `/job/${source.id}/clone`, body)).status).toBe(409);
  await advance(3000);
  await client.post(`/job/${source.id}/clone`, body);
});

test("a clone of or into a missing resource is 404, and to a taken name 409", async () => {
  const { client, job, environmentId } = await startWorld();
  const source = await client.post(`/environment/${environmentId}/job`, job("a"));
  const clone = `/job/${source.id}/clone`;
  expect((await client.fails("POST", clone, { name: "b", environment_id: unknownId })).status).toBe(404);
  expect((await client.fails("POST", clone, { name: "A", environment_id: environmentId })).status).toBe(409);
  const body = { name: "b", environment_id: environmentId };
  expect((await client.fails("POST", `/job/${unknownId}/clone`, body)).status).toBe(404);
  expect((await client.fails("POST", clone, { name: "b" })).message).toBe("environment_id is required");
});

test("a clone of an environment contains its services, stages and variables, also in another project", async () => {
  const { client, job, environmentId, organizationPath, emulator, advance } = await startWorld({
    behaviour: { clone_delay_ms: 1000 },
  });
  const a = await client.post(`/environment/${environmentId}/job`, job("a"));
  await client.post(`/environment/${environmentId}/application`, {
    name: "web",
    git_repository: { url: "https://github.com/acme/web" },
  });
  const early = await client.post(`/environment/${environmentId}/deploymentStage`, { name: "early" });
  await client.put(`/deploymentStage/${early.id}/service/${a.id}`, {});
  const variable = (key: string, scope: string, parentId: string, secret = false) => ({
    key,
    value: `${key}-value`,
    is_secret: secret,
    variable_scope: scope,
    variable_parent_id: parentId,
  });
  const shared = await client.post("/variable", variable("SHARED", "ENVIRONMENT", environmentId));
  await client.post("/variable", variable("SECRET", "JOB", a.id, true));
  const alias = { key: "ALIAS", alias_scope: "JOB", alias_parent_id: a.id };
  await client.post(`/variable/${shared.id}/alias`, alias);

  const project = await client.post(`${organizationPath}/project`, { name: "elsewhere" });
  const clone = await client.post(`/environment/${environmentId}/clone`, {
    name: "preview",
    mode: "PREVIEW",
    cluster_id: emulator.clusters[1]?.id,
    project_id: project.id,
  });
  expect(clone).toMatchObject({ mode: "PREVIEW", cluster_name: "us-east", project: { id: project.id } });
  expect((await client.fails("GET", `/environment/${clone.id}`)).status).toBe(404);
  await advance(1000);
  const services = await client.list(`/environment/${clone.id}/services`);
  expect(services.map(({ name }) => name)).toEqual(["a", "web"]);
  const copy = services[0]?.id ?? "";
  expect(await client.list(`/environment/${clone.id}/deploymentStage`)).toMatchObject([
    { name: "DEFAULT", services: [{ service_type: "APPLICATION" }] },
    { name: "early", services: [{ service_id: copy }] },
  ]);
  const variables = await client.list(`/variable?parent_id=${copy}&scope=JOB`);
  const byKey = new Map(variables.map((each) => [each["key"], each]));
  expect(byKey.get("SECRET")).toMatchObject({ is_secret: true, value: null });
  expect(byKey.get("SHARED")).toMatchObject({ value: "SHARED-value", scope: "ENVIRONMENT" });
  expect(byKey.get("SHARED")?.id).not.toBe(shared.id);
  expect(byKey.get("ALIAS")).toMatchObject({ aliased_variable: { id: byKey.get("SHARED")?.id } });
});
