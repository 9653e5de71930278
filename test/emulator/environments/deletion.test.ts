import { expect, test } from "vitest";
import { startWorld } from "../start-world.ts";

test("by default a deletion is complete with its response, including all contents", async () => {
  const { client, job, environmentId, projectId } = await startWorld();
  const made = await client.post(`/environment/${environmentId}/job`, job("a"));
  const answer = await client.call("DELETE", `/environment/${environmentId}`);
  expect([answer.status, answer.body]).toEqual([204, ""]);
  for (const path of [`/environment/${environmentId}`, `/job/${made.id}`]) {
    expect((await client.fails("GET", path)).status).toBe(404);
  }
  expect((await client.fails("DELETE", `/job/${made.id}`)).status).toBe(404);
  expect(await client.list(`/project/${projectId}/environment`)).toEqual([]);
  await client.delete(`/project/${projectId}`);
  expect((await client.fails("GET", `/project/${projectId}`)).status).toBe(404);
});

test("an asynchronous deletion is queued, then in progress, then complete", async () => {
  const { client, job, environmentId, projectId, advance } = await startWorld({
    behaviour: { delete_delay_ms: 1000 },
  });
  const made = await client.post(`/environment/${environmentId}/job`, job("a"));
  const state = async () => (await client.get(`/environment/${environmentId}/status`))["state"];
  await client.delete(`/environment/${environmentId}`);
  expect(await state()).toBe("DELETE_QUEUED");
  await advance(500);
  expect(await state()).toBe("DELETING");
  expect(await client.get(`/job/${made.id}/status`)).toMatchObject({
    state: "DELETING",
    status_details: { action: "DELETE", status: "ONGOING" },
  });
  await client.delete(`/environment/${environmentId}`);
  expect(await client.list(`/project/${projectId}/environment`)).toHaveLength(1);
  await advance(500);
  expect((await client.fails("GET", `/environment/${environmentId}`)).status).toBe(404);
  expect((await client.fails("GET", `/job/${made.id}`)).status).toBe(404);
});

test("a resource that is being deleted refuses every operation, and its name is free afterwards", async () => {
  const { client, job, environmentId, projectId, advance } = await startWorld({
    behaviour: { delete_delay_ms: 1000 },
  });
  const made = await client.post(`/environment/${environmentId}/job`, job("a"));
  await client.delete(`/environment/${environmentId}`);
  expect((await client.fails("POST", `/environment/${environmentId}/job`, job("b"))).status).toBe(409);
  expect((await client.fails("PUT", `/job/${made.id}`, job("a"))).status).toBe(409);
  expect((await client.fails("POST", `/job/${made.id}/deploy`)).status).toBe(409);
  const again = { name: "staging" };
  expect((await client.fails("POST", `/project/${projectId}/environment`, again)).status).toBe(409);
  await advance(1000);
  await client.post(`/project/${projectId}/environment`, again);
});

test("a deletion ends in real time too", async () => {
  const { client, environmentId } = await startWorld({ behaviour: { delete_delay_ms: 50 }, clock: "real" });
  await client.delete(`/environment/${environmentId}`);
  await expect
    .poll(async () => (await client.call("GET", `/environment/${environmentId}`)).status, { interval: 20 })
    .toBe(404);
});

test("one request deletes several services, or none of them", async () => {
  const { client, job, environmentId } = await startWorld();
  const jobs = `/environment/${environmentId}/job`;
  const made = await client.post(jobs, job("a"));
  const path = `/environment/${environmentId}/service/delete`;
  const wrong = { job_ids: [made.id], container_ids: [made.id] };
  expect((await client.fails("POST", path, wrong)).status).toBe(404);
  expect(await client.list(jobs)).toHaveLength(1);
  expect((await client.call("POST", path, { job_ids: [made.id] })).status).toBe(200);
  expect(await client.list(jobs)).toEqual([]);
});
