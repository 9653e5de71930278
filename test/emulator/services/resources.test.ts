import { expect, test } from "vitest";
import type { Resource } from "../../fixtures/client.ts";
import { startWorld, unknownId } from "../start-world.ts";

test("a new job has the requested values and the defaults of the interface", async () => {
  const { client, job, environmentId, emulator } = await startWorld();
  const schedule = { cronjob: { scheduled_at: "0 3 * * *" } };
  const made = await client.post(`/environment/${environmentId}/job`, job("nightly", { schedule }));
  expect(made).toMatchObject({
    name: "nightly",
    environment: { id: environmentId },
    cpu: 500,
    memory: 512,
    gpu: 0,
    max_nb_restart: 0,
    port: null,
    healthchecks: {},
    job_type: "CRON",
    service_type: "JOB",
    schedule: { cronjob: { scheduled_at: "0 3 * * *", timezone: "Etc/UTC" } },
    source: {
      image: { registry: { id: emulator.registries[0]?.id, name: "docker-hub", kind: "DOCKER_HUB" } },
    },
  });
  expect(await client.get(`/job/${made.id}`)).toEqual(made);
});

test("absent members are left out of a response, not null, and unknown members are ignored", async () => {
  const { client, job, environmentId } = await startWorld();
  const made = await client.post(`/environment/${environmentId}/job`, job("a", { colour: "red" }));
  for (const member of ["max_duration_seconds", "cpu_architecture", "colour"]) {
    expect(made).not.toHaveProperty(member);
  }
});

test("PUT replaces: an absent member gets its default", async () => {
  const { client, job, environmentId } = await startWorld();
  const full = job("a", { description: "long", cpu: 900, max_nb_restart: 3, auto_deploy: false });
  const made = await client.post(`/environment/${environmentId}/job`, full);
  const changed = await client.put(`/job/${made.id}`, job("b"));
  expect(changed).toMatchObject({ id: made.id, name: "b", cpu: 500, max_nb_restart: 0, auto_deploy: true });
  expect(changed["description"]).toBe("");
});

test("ports and storages keep the ids in the request; new ones are created, and absent ones are deleted", async () => {
  const { client, environmentId } = await startWorld();
  const port = { internal_port: 80, publicly_accessible: true };
  const disk = { type: "FAST_SSD", size: 1, mount_point: "/a" };
  const body = {
    name: "web",
    git_repository: { url: "https://github.com/acme/web" },
    ports: [port, { ...port, internal_port: 81 }],
    storage: [disk, { ...disk, mount_point: "/b" }],
  };
  interface WithParts extends Resource {
    ports: Resource[];
    storage: Resource[];
  }
  const made = await client.post<WithParts>(`/environment/${environmentId}/application`, body);
  const kept = { ports: made.ports.slice(1), storage: made.storage.slice(1) };
  const edit = { ...kept, ports: [...kept.ports, { ...port, internal_port: 82 }] };
  const changed = await client.put<WithParts>(`/application/${made.id}`, edit);
  expect(changed.storage).toEqual(kept.storage);
  expect(changed.ports[0]).toEqual(kept.ports[0]);
  expect(changed.ports.map((each) => each["internal_port"])).toEqual([81, 82]);
  expect(new Set([...made.ports, ...changed.ports].map(({ id }) => id)).size).toBe(3);

  const foreign = { ports: [{ ...port, id: unknownId }] };
  const answer = await client.fails("PUT", `/application/${made.id}`, foreign);
  expect(answer).toMatchObject({ status: 400, message: expect.stringContaining("ports[0].id") as string });
});

test("a PUT without name and repository keeps those of an application", async () => {
  const { client, environmentId } = await startWorld();
  const repository = { url: "https://gitlab.com/acme/group/web.git", branch: "main" };
  const made = await client.post(`/environment/${environmentId}/application`, {
    name: "web",
    git_repository: repository,
    min_running_instances: 0,
    max_running_instances: -1,
  });
  const changed = await client.put(`/application/${made.id}`, { cpu: 700 });
  expect(changed).toMatchObject({
    name: "web",
    cpu: 700,
    min_running_instances: 1,
    max_running_instances: 1,
    git_repository: { ...repository, provider: "GITLAB", owner: "acme/group", name: "web", root_path: "/" },
  });
});

test("names are unique by parent and kind, ignoring case", async () => {
  const { client, job, environmentId, projectId, organizationPath } = await startWorld();
  const jobs = `/environment/${environmentId}/job`;
  const first = await client.post(jobs, job("Api"));
  const other = await client.post(jobs, job("other"));
  expect(await client.fails("POST", jobs, job("aPI"))).toMatchObject({ status: 409 });
  expect(await client.fails("PUT", `/job/${other.id}`, job("API"))).toMatchObject({ status: 409 });
  expect(await client.put(`/job/${first.id}`, job("API"))).toMatchObject({ name: "API" });
  const application = { name: "api", git_repository: { url: "https://github.com/a/b" } };
  await client.post(`/environment/${environmentId}/application`, application);
  const elsewhere = await client.post(`/project/${projectId}/environment`, { name: "other" });
  await client.post(`/environment/${elsewhere.id}/job`, job("api"));
  expect((await client.call("POST", `${organizationPath}/project`, { name: "SHOP" })).status).toBe(409);
  expect((await client.call("POST", `/project/${projectId}/environment`, { name: "Staging" })).status).toBe(
    409,
  );

  await client.delete(`/job/${first.id}`);
  await client.post(jobs, job("api"));
});

test("the option allows duplicate names", async () => {
  const { client, job, environmentId } = await startWorld({ behaviour: { duplicate_names: true } });
  const jobs = `/environment/${environmentId}/job`;
  const first = await client.post(jobs, job("api"));
  await client.post(jobs, job("api"));
  await client.delete(`/job/${first.id}`);
  expect(await client.list(jobs)).toHaveLength(1);
});

test("the type of a job cannot be changed", async () => {
  const { client, job, environmentId } = await startWorld();
  const made = await client.post(
    `/environment/${environmentId}/job`,
    job("a", { schedule: { on_start: {} } }),
  );
  const cron = { schedule: { cronjob: { scheduled_at: "* * * * *" } } };
  expect(await client.fails("PUT", `/job/${made.id}`, job("a", cron))).toEqual({
    status: 400,
    message: "schedule: the type of a job cannot be changed (from LIFECYCLE to CRON)",
  });
});

test.for([
  [{ name: 3 }, "name must be string"],
  [{ name: " " }, "name must not be blank"],
  [{ name: "a" }, "source: exactly one of image and docker is required"],
  [{ name: "a", cpu: "500" }, "cpu must be integer"],
  [{ name: "a", gpu: -1 }, "gpu must be >= 0"],
  [{ name: "a", description: null }, "description must be string"],
  [{ name: "a", source: { image: { image_name: "x", tag: "1" } } }, "source.image.registry_id is required"],
  [{ name: "a", schedule: { cronjob: {} } }, "schedule.cronjob.scheduled_at is required"],
  [{ name: "a", schedule: { cronjob: { scheduled_at: "* * * * * *" } } }, "schedule.cronjob.scheduled_at"],
  [{ name: "a", schedule: { cronjob: { scheduled_at: "61 * * * *" } } }, "schedule.cronjob.scheduled_at"],
  [
    { name: "a", schedule: { cronjob: { scheduled_at: "* * * * *", timezone: "Mars/Crater" } } },
    "schedule.cronjob.timezone",
  ],
  [{ name: "a", annotations_groups: [{ id: "x" }] }, "annotations_groups[0].id"],
  [{ name: "a", cpu: 1_000_000 }, "cpu: must be at most"],
  [
    { name: "a", labels_groups: [{ id: unknownId }] },
    `labels_groups[0].id: there is no labels group with id`,
  ],
] as [object, string][])("a job with %o is refused with the name of the member", async ([body, message]) => {
  const { client, environmentId } = await startWorld();
  const answer = await client.fails("POST", `/environment/${environmentId}/job`, body);
  expect(answer.status).toBe(400);
  expect(answer.message).toContain(message);
  expect(await client.list(`/environment/${environmentId}/job`)).toEqual([]);
});

test("all mistakes of a body are reported together", async () => {
  const { client, environmentId } = await startWorld();
  const body = { cpu: "x", ports: [{ internal_port: 0 }] };
  const { message } = await client.fails("POST", `/environment/${environmentId}/application`, body);
  expect(message.split("; ")).toEqual([
    "name is required",
    "git_repository is required",
    "cpu must be integer",
    "ports[0].publicly_accessible is required",
    "ports[0].internal_port must be >= 1",
  ]);
});

test("a resource that is missing or of another kind is 404", async () => {
  const { client, job, environmentId } = await startWorld();
  const made = await client.post(`/environment/${environmentId}/job`, job("a"));
  for (const path of [
    `/job/${unknownId}`,
    "/job/not-a-uuid",
    `/application/${made.id}`,
    `/environment/x/services`,
  ]) {
    expect((await client.fails("GET", path)).status).toBe(404);
  }
  expect((await client.fails("POST", `/environment/${unknownId}/job`, job("a"))).status).toBe(404);
});

test("an environment accepts the cluster by either name, and by default uses the first one", async () => {
  const { client, projectId, emulator } = await startWorld();
  const [west, east] = emulator.clusters;
  const path = `/project/${projectId}/environment`;
  expect(await client.post(path, { name: "a", cluster: east?.id })).toMatchObject({
    cluster_id: east?.id,
    cluster_name: "us-east",
  });
  expect(await client.post(path, { name: "b", cluster_id: east?.id })).toMatchObject({
    cluster_id: east?.id,
  });
  expect(await client.post(path, { name: "c" })).toMatchObject({ cluster_id: west?.id, mode: "DEVELOPMENT" });
  expect((await client.fails("POST", path, { name: "d", cluster: unknownId })).message).toContain(
    "cluster: ",
  );
  expect((await client.fails("POST", path, { name: "d", mode: "PREVIEW" })).status).toBe(400);
});

test("the environments of an organization are listed without their clusters", async () => {
  const { client, organizationPath } = await startWorld();
  const [environment] = await client.list(`${organizationPath}/environments`);
  expect(environment).toMatchObject({ name: "staging", mode: "DEVELOPMENT" });
  expect(environment).not.toHaveProperty("cluster_id");
});

test("a resource that services use cannot be deleted", async () => {
  const { client, job, environmentId, organizationPath, emulator } = await startWorld();
  const made = await client.post(`/environment/${environmentId}/job`, job("a"));
  const registry = `${organizationPath}/containerRegistry/${emulator.registries[0]?.id}`;
  expect(await client.fails("DELETE", registry)).toMatchObject({
    status: 409,
    message: "docker-hub is used by job a",
  });
  await client.delete(`/job/${made.id}`);
  await client.delete(registry);
});

test("passwords and keys are never returned", async () => {
  const { client, organizationPath } = await startWorld();
  const config = { username: "me", password: "canary-1", secret_access_key: "canary-2" };
  const body = { name: "private", kind: "GENERIC_CR", url: "https://r.example.com", config };
  await client.post(`${organizationPath}/containerRegistry`, body);
  await client.post(`${organizationPath}/gitToken`, { name: "g", type: "GITHUB", token: "canary-3" });
  for (const path of ["containerRegistry", "gitToken", "events"]) {
    expect(JSON.stringify(await client.get(`${organizationPath}/${path}`))).not.toContain("canary");
  }
});

test("a deployment stage contains the services that were moved into it", async () => {
  const { client, job, environmentId } = await startWorld();
  const made = await client.post(`/environment/${environmentId}/job`, job("a"));
  const path = `/environment/${environmentId}/deploymentStage`;
  expect(await client.get(`/service/${made.id}/deploymentStage`)).toMatchObject({ name: "DEFAULT" });
  const stage = await client.post(path, { name: "early" });
  await client.put(`/deploymentStage/${stage.id}/service/${made.id}`, { is_skipped: true });
  expect(await client.list(path)).toMatchObject([
    { name: "DEFAULT", deployment_order: 1, services: [] },
    { name: "early", deployment_order: 2, services: [{ service_id: made.id, is_skipped: true }] },
  ]);
  await client.delete(`/deploymentStage/${stage.id}`);
  const [start] = await client.list(path);
  expect(start).toMatchObject({ services: [{ service_id: made.id }] });
  expect((await client.fails("DELETE", `/deploymentStage/${start?.id}`)).status).toBe(409);
});

test("advanced settings have defaults", async () => {
  const { client, job, environmentId } = await startWorld();
  const made = await client.post(`/environment/${environmentId}/job`, job("a"));
  const path = `/job/${made.id}/advancedSettings`;
  const defaults = await client.get("/defaultJobAdvancedSettings");
  expect(await client.get(path)).toEqual(defaults);
  const changed = { "cronjob.failed_jobs_history_limit": 7, "no.such.setting": 1 };
  const answer = await client.call("PUT", path, changed);
  expect(answer.status).toBe(201);
  expect(await client.get(path)).toEqual({ ...defaults, "cronjob.failed_jobs_history_limit": 7 });
  expect((await client.fails("PUT", path, { "build.timeout_max_sec": "x" })).status).toBe(400);
});
