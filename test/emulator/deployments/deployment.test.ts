import { expect, test } from "vitest";
import { startWorld } from "../start-world.ts";

const application = { name: "web", git_repository: { url: "https://github.com/acme/web" } };

test("a deployment passes through its states as the clock advances", async () => {
  const { client, environmentId, advance } = await startWorld({ behaviour: { deploy_delay_ms: 3000 } });
  const { id } = await client.post(`/environment/${environmentId}/application`, application);
  const status = () => client.get(`/application/${id}/status`);
  expect(await status()).toMatchObject({ state: "READY", service_deployment_status: "NEVER_DEPLOYED" });
  const answer = await client.call("POST", `/application/${id}/deploy`, { git_commit_id: "abc123" });
  expect(answer.status).toBe(202);
  expect(answer.body).toMatchObject({
    id,
    application_id: id,
    status: "QUEUED",
    state: "DEPLOYMENT_QUEUED",
    status_details: { action: "DEPLOY", status: "QUEUED" },
  });
  for (const state of ["BUILDING", "DEPLOYING", "DEPLOYED"]) {
    await advance(1000);
    expect(await status()).toMatchObject({ state });
  }
  expect(await status()).toMatchObject({
    service_deployment_status: "UP_TO_DATE",
    is_part_last_deployment: true,
    status_details: { action: "DEPLOY", status: "SUCCESS" },
  });
  expect(await client.get(`/application/${id}`)).toMatchObject({
    git_repository: { deployed_commit_id: "abc123" },
  });
});

test("the status shows a change that is not deployed", async () => {
  const { client, environmentId, advance } = await startWorld();
  const { id } = await client.post(`/environment/${environmentId}/application`, application);
  await client.post(`/application/${id}/deploy`);
  await advance(10_000);
  await client.put(`/application/${id}`, { cpu: 700 });
  const outOfDate = { service_deployment_status: "OUT_OF_DATE" };
  expect(await client.get(`/application/${id}/status`)).toMatchObject(outOfDate);
  const applications = `/environment/${environmentId}/application`;
  await client.post(applications, { ...application, name: "never-deployed" });
  expect(await client.list(`${applications}?toUpdate=true`)).toMatchObject([{ id }]);
  expect(await client.list(`${applications}?toUpdate=false`)).toHaveLength(2);
  expect(await client.get(`/environment/${environmentId}/status`)).toMatchObject({
    deployment_status: "OUT_OF_DATE",
  });
});

test.for([
  ["stop", "STOP_QUEUED", "STOPPING", "STOPPED"],
  ["restart-service", "RESTART_QUEUED", "RESTARTING", "RESTARTED"],
  ["redeploy", "DEPLOYMENT_QUEUED", "BUILDING", "DEPLOYED"],
] as const)("%s", async ([action, queued, running, done]) => {
  const { client, environmentId, advance } = await startWorld({ behaviour: { deploy_delay_ms: 3000 } });
  const { id } = await client.post(`/environment/${environmentId}/application`, application);
  expect(await client.post(`/application/${id}/${action}`)).toMatchObject({ state: queued });
  await advance(1500);
  expect(await client.get(`/application/${id}/status`)).toMatchObject({ state: running });
  await advance(1500);
  expect(await client.get(`/application/${id}/status`)).toMatchObject({ state: done });
});

test("a request gets 409 while a deployment of the same service is in progress", async () => {
  const { client, environmentId, advance } = await startWorld({ behaviour: { deploy_delay_ms: 3000 } });
  const { id } = await client.post(`/environment/${environmentId}/application`, application);
  await client.post(`/application/${id}/deploy`);
  expect((await client.fails("POST", `/application/${id}/stop`)).status).toBe(409);
  expect((await client.fails("POST", `/environment/${environmentId}/deploy`)).status).toBe(409);
  await advance(3000);
  await client.post(`/environment/${environmentId}/deploy`);
});

test("an environment deploys all its services, and its deployment can be cancelled", async () => {
  const { client, job, environmentId, projectId, advance } = await startWorld({
    behaviour: { deploy_delay_ms: 3000 },
  });
  const { id } = await client.post(`/environment/${environmentId}/job`, job("a"));
  await client.post(`/environment/${environmentId}/application`, application);
  await client.post(`/environment/${environmentId}/deploy`);
  const [status] = await client.list(`/project/${projectId}/environment/status`);
  expect(status).toMatchObject({ state: "DEPLOYMENT_QUEUED", origin: "API", triggered_by: "admin" });
  await advance(1500);
  expect(await client.get(`/environment/${environmentId}/statuses`)).toMatchObject({
    environment: { state: "DEPLOYING" },
    jobs: [{ id, state: "DEPLOYING" }],
    applications: [{ state: "BUILDING" }],
  });
  expect(await client.post(`/environment/${environmentId}/cancelDeployment`)).toMatchObject({
    state: "CANCELING",
  });
  await advance(1000);
  expect(await client.get(`/job/${id}/status`)).toMatchObject({
    state: "CANCELED",
    status_details: { status: "CANCELED" },
  });
  await client.post(`/environment/${environmentId}/redeploy`);
  await advance(3000);
  expect(await client.get(`/environment/${environmentId}/status`)).toMatchObject({
    state: "DEPLOYED",
    deployment_status: "UP_TO_DATE",
    total_deployment_duration_in_seconds: 3,
  });
});

test("several services are deployed with the versions in the request", async () => {
  const { client, job, environmentId, advance } = await startWorld();
  const { id } = await client.post(`/environment/${environmentId}/job`, job("a"));
  const other = await client.post(`/environment/${environmentId}/job`, job("b"));
  const body = { jobs: [{ id, image_tag: "2" }] };
  expect((await client.call("POST", `/environment/${environmentId}/service/deploy`, body)).status).toBe(202);
  await advance(10_000);
  expect(await client.get(`/job/${id}`)).toMatchObject({ source: { image: { tag: "2" } } });
  expect(await client.get(`/job/${id}/status`)).toMatchObject({ state: "DEPLOYED" });
  expect(await client.get(`/job/${other.id}/status`)).toMatchObject({ state: "READY" });
});

test("a new image is deployed to the jobs with auto_deploy", async () => {
  const { client, job, environmentId, organizationPath } = await startWorld();
  const jobs = `/environment/${environmentId}/job`;
  const follows = await client.post(jobs, job("a"));
  const stays = await client.post(jobs, job("b", { auto_deploy: false }));
  const path = `${organizationPath}/job/deploy`;
  expect(await client.post(path, { image_name: "acme/report", tag: "9" })).toMatchObject({ id: follows.id });
  expect(await client.get(`/job/${follows.id}`)).toMatchObject({ source: { image: { tag: "9" } } });
  expect(await client.get(`/job/${stays.id}`)).toMatchObject({ source: { image: { tag: "1" } } });
  expect((await client.fails("POST", path, { image_name: "no/such", tag: "9" })).status).toBe(404);
});

test("the history lists deployments, newest first, and the log of a service its own deployments", async () => {
  const { client, environmentId, advance } = await startWorld();
  const { id } = await client.post(`/environment/${environmentId}/application`, application);
  await client.post(`/application/${id}/deploy`);
  await advance(10_000);
  await client.post(`/application/${id}/stop`);
  expect(await client.get(`/environment/${environmentId}/deploymentHistoryV2`)).toMatchObject({
    page: 1,
    results: [
      { trigger_action: "STOP", action_status: "QUEUED" },
      {
        trigger_action: "DEPLOY",
        status: "DEPLOYED",
        total_duration: "PT2S",
        stages: [{ name: "DEFAULT", status: "DONE", services: [{ identifier: { service_id: id } }] }],
      },
    ],
  });
  const log = await client.list(`/application/${id}/log`);
  expect(log.map(({ message }) => message)).toEqual([
    "deploy of web requested",
    "web: DEPLOYED",
    "stop of web requested",
  ]);
  expect(await client.list(`/application/${id}/log?tail=1`)).toEqual(log.slice(-1));
});
