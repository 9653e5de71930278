import { expect, test } from "vitest";
import { startWorld, unknownId } from "../start-world.ts";
import type { TestWorld } from "../start-world.ts";

async function makeJob({ client, job, environmentId }: TestWorld, name = "a"): Promise<string> {
  return (await client.post(`/environment/${environmentId}/job`, job(name))).id;
}

function variable(key: string, scope: string, parentId: string, rest: object = {}) {
  return { key, value: "1", is_secret: false, variable_scope: scope, variable_parent_id: parentId, ...rest };
}

test("a service sees its own and inherited variables, including built-in ones", async () => {
  const world = await startWorld();
  const { client, environmentId, projectId } = world;
  const jobId = await makeJob(world);
  await client.post("/variable", variable("OF_JOB", "JOB", jobId));
  await client.post("/variable", variable("OF_ENVIRONMENT", "ENVIRONMENT", environmentId));
  await client.post("/variable", variable("OF_PROJECT", "PROJECT", projectId));
  const keys = async (scope: string, id: string) =>
    (await client.list(`/variable?parent_id=${id}&scope=${scope}`)).map(
      ({ key, scope: own }) => `${key} ${own}`,
    );
  const project = ["QOVERY_PROJECT_ID BUILT_IN", "QOVERY_PROJECT_NAME BUILT_IN", "OF_PROJECT PROJECT"];
  const environment = [
    "QOVERY_ENVIRONMENT_ID BUILT_IN",
    "QOVERY_ENVIRONMENT_NAME BUILT_IN",
    "QOVERY_KUBERNETES_NAMESPACE_NAME BUILT_IN",
    "QOVERY_CLOUD_PROVIDER BUILT_IN",
    "QOVERY_CLOUD_PROVIDER_REGION BUILT_IN",
    "QOVERY_KUBERNETES_CLUSTER_NAME BUILT_IN",
    "QOVERY_KUBERNETES_CLUSTER_VPC_ID BUILT_IN",
    "OF_ENVIRONMENT ENVIRONMENT",
    ...project,
  ];
  expect(await keys("PROJECT", projectId)).toEqual(project);
  expect(await keys("ENVIRONMENT", environmentId)).toEqual(environment);
  expect(await keys("JOB", jobId)).toEqual(["QOVERY_JOB_ID BUILT_IN", "OF_JOB JOB", ...environment]);
});

test("a variable with an existing key replaces the value and keeps the id", async () => {
  const world = await startWorld();
  const { client } = world;
  const jobId = await makeJob(world);
  const first = await client.post("/variable", variable("A", "JOB", jobId, { description: "old" }));
  const second = await client.post("/variable", variable("A", "JOB", jobId, { value: "2", is_secret: true }));
  expect(second).toMatchObject({ id: first.id, value: null, is_secret: true });
  expect(second["description"]).toBe("");
  const other = await client.post("/variable", variable("B", "JOB", jobId));
  expect((await client.fails("PUT", `/variable/${other.id}`, { key: "A", value: "3" })).status).toBe(409);
});

test("both families of paths show the same variables", async () => {
  const world = await startWorld();
  const { client } = world;
  const jobId = await makeJob(world);
  const plain = await client.post(`/job/${jobId}/environmentVariable`, { key: "A", value: "1" });
  const secret = await client.post(`/job/${jobId}/secret`, { key: "S", value: "canary" });
  expect(secret).not.toHaveProperty("value");
  const generic = await client.list(`/variable?parent_id=${jobId}&scope=JOB`);
  expect(generic.find(({ id }) => id === plain.id)).toMatchObject({ key: "A", value: "1", is_secret: false });
  expect(generic.find(({ id }) => id === secret.id)).toMatchObject({
    key: "S",
    value: null,
    is_secret: true,
  });
  await client.put(`/variable/${plain.id}`, { key: "A", value: "2" });
  const plains = await client.list(`/job/${jobId}/environmentVariable`);
  expect(plains.find(({ id }) => id === plain.id)).toMatchObject({ value: "2" });
  expect(await client.list(`/job/${jobId}/secret`)).toMatchObject([{ id: secret.id }]);
  expect(await client.list(`/variable?parent_id=${jobId}&scope=JOB&is_secret=true`)).toHaveLength(1);
});

test("an alias has the value of its variable, and is deleted with it", async () => {
  const world = await startWorld();
  const { client, environmentId } = world;
  const jobId = await makeJob(world);
  const target = await client.post("/variable", variable("URL", "ENVIRONMENT", environmentId));
  const alias = await client.post(`/variable/${target.id}/alias`, {
    key: "MY_URL",
    alias_scope: "JOB",
    alias_parent_id: jobId,
  });
  const referenced = { id: target.id, key: "URL", value: "1" };
  expect(alias).toMatchObject({ value: "URL", variable_type: "ALIAS", aliased_variable: referenced });
  await client.put(`/variable/${target.id}`, { key: "URL", value: "2" });
  const find = async () =>
    (await client.list(`/variable?parent_id=${jobId}&scope=JOB`)).find(({ key }) => key === "MY_URL");
  expect(await find()).toMatchObject({ aliased_variable: { value: "2" } });
  await client.delete(`/variable/${target.id}`);
  expect(await find()).toBeUndefined();
});

test("a variable whose value is the key of another is an alias until its value changes", async () => {
  const world = await startWorld();
  const { client, projectId } = world;
  const jobId = await makeJob(world);
  const target = await client.post("/variable", variable("URL", "PROJECT", projectId));
  const alias = await client.post("/variable", variable("MINE", "JOB", jobId, { value: "URL" }));
  expect(alias).toMatchObject({ variable_type: "ALIAS", value: "URL", aliased_variable: { id: target.id } });
  expect(await client.put(`/variable/${alias.id}`, { key: "MINE", value: "x" })).toMatchObject({
    variable_type: "VALUE",
    value: "x",
  });
  expect(await client.put(`/variable/${alias.id}`, { key: "MINE", value: "URL" })).toMatchObject({
    variable_type: "ALIAS",
  });
  const secret = variable("SECRET", "JOB", jobId, { value: "URL", is_secret: true });
  expect(await client.post("/variable", secret)).toMatchObject({ variable_type: "VALUE", value: null });

  const back = await client.put(`/variable/${target.id}`, { key: "URL", value: "MINE" });
  expect(back).toMatchObject({ variable_type: "VALUE" });
  const own = await client.post("/variable", variable("A", "JOB", jobId, { value: "MINE" }));
  await client.put(`/variable/${alias.id}`, { key: "MINE", value: "A" });
  await client.delete(`/variable/${own.id}`);
  expect((await client.fails("GET", `/variable/${alias.id}`)).status).toBe(405);
  expect(await client.list(`/job/${jobId}/environmentVariable`)).not.toContainEqual(
    expect.objectContaining({ key: "MINE" }),
  );
});

test("an override changes the value for an inner scope", async () => {
  const world = await startWorld();
  const { client, projectId } = world;
  const jobId = await makeJob(world);
  const target = await client.post("/variable", variable("LEVEL", "PROJECT", projectId));
  const path = `/job/${jobId}/environmentVariable`;
  expect(await client.post(`${path}/${target.id}/override`, { value: "2" })).toMatchObject({
    key: "LEVEL",
    value: "2",
    scope: "JOB",
    variable_type: "OVERRIDE",
    overridden_variable: { id: target.id, value: "1" },
  });
  expect((await client.fails("PUT", `${path}/${target.id}`, { key: "LEVEL" })).status).toBe(404);
});

test("built-in variables cannot be changed, but can have aliases and overrides", async () => {
  const { client, projectId, environmentId } = await startWorld();
  const [builtIn] = await client.list(`/variable?parent_id=${projectId}&scope=PROJECT`);
  const path = `/variable/${builtIn?.id}`;
  expect((await client.fails("PUT", path, { key: "X", value: "1" })).status).toBe(403);
  expect((await client.fails("DELETE", path)).status).toBe(403);
  const place = { alias_scope: "ENVIRONMENT", alias_parent_id: environmentId };
  expect(await client.post(`${path}/alias`, { key: "MINE", ...place })).toMatchObject({
    value: "QOVERY_PROJECT_ID",
    aliased_variable: { value: "||Q_PRJ_ID||" },
  });
});

test("an import sets many variables, and replaces existing ones only with overwrite", async () => {
  const world = await startWorld();
  const { client, environmentId } = world;
  const jobId = await makeJob(world);
  await client.post("/variable", variable("A", "JOB", jobId, { value: "old" }));
  const path = `/variable/import?service_id=${jobId}&service_type=JOB`;
  const vars = [
    { name: "A", value: "new", scope: "JOB", is_secret: false },
    { name: "B", value: "canary", scope: "ENVIRONMENT", is_secret: true },
  ];
  const careful = await client.call("POST", path, { overwrite: false, vars });
  expect(careful.status).toBe(201);
  expect(careful.body).toEqual({
    total_variables_to_import: 2,
    successful_imported_variables: [{ name: "B", scope: "ENVIRONMENT", is_secret: true }],
  });
  await client.post(path, { overwrite: true, vars });
  const seen = await client.list(`/variable?parent_id=${environmentId}&scope=ENVIRONMENT`);
  expect(seen.find(({ key }) => key === "B")).toMatchObject({ is_secret: true, value: null });
  const own = await client.list(`/variable?parent_id=${jobId}&scope=JOB`);
  expect(own.find(({ key }) => key === "A")).toMatchObject({ value: "new" });

  const wrong = [
    { name: "C", value: "1", scope: "JOB", is_secret: false },
    { ...vars[0], scope: "CONTAINER" },
  ];
  const answer = await client.fails("POST", path, { overwrite: true, vars: wrong });
  expect(answer).toMatchObject({
    status: 400,
    message: "vars[1].scope: must be one of PROJECT, ENVIRONMENT, JOB",
  });
  const after = await client.list(`/variable?parent_id=${jobId}&scope=JOB`);
  expect(after.some(({ key }) => key === "C")).toBe(false);
});

test("a variable of a missing parent is 404, and a list requires its parent and scope", async () => {
  const { client } = await startWorld();
  expect((await client.fails("POST", "/variable", variable("A", "JOB", unknownId))).status).toBe(404);
  expect((await client.fails("GET", `/variable?parent_id=${unknownId}&scope=JOB`)).status).toBe(404);
  expect(await client.fails("GET", "/variable?scope=JOB")).toEqual({
    status: 400,
    message: "parent_id: this query parameter is required",
  });
  expect((await client.fails("GET", `/variable?parent_id=${unknownId}&scope=NO`)).status).toBe(400);
});

test("no response contains the value of a secret", async () => {
  const world = await startWorld();
  const { client, environmentId, organizationPath } = world;
  const jobId = await makeJob(world);
  const secret = await client.post(
    "/variable",
    variable("S", "JOB", jobId, { value: "canary", is_secret: true }),
  );
  const alias = { key: "T", alias_scope: "JOB", alias_parent_id: jobId };
  const answers = [
    secret,
    await client.post(`/variable/${secret.id}/alias`, alias),
    await client.put(`/variable/${secret.id}`, { key: "S", value: "canary" }),
    await client.get(`/variable?parent_id=${jobId}&scope=JOB`),
    await client.get(`/job/${jobId}/secret`),
    await client.get(`/environment/${environmentId}/services`),
    await client.get(`${organizationPath}/events`),
  ];
  expect(JSON.stringify(answers)).not.toContain("canary");
});
