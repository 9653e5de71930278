import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { startReceiver } from "../receiver.ts";
import { startWorld } from "../start-world.ts";
import type { TestWorld } from "../start-world.ts";

async function makeWebhook({ client, organizationPath }: TestWorld, body: object): Promise<string> {
  return (await client.post(`${organizationPath}/webhook`, body)).id;
}

async function makeApplication({ client, environmentId }: TestWorld): Promise<string> {
  const body = { name: "web", git_repository: { url: "https://github.com/acme/web" } };
  return (await client.post(`/environment/${environmentId}/application`, body)).id;
}

test("a webhook receives the events that it subscribed to, by their subscribed names, with a signature", async () => {
  const world = await startWorld();
  const { client, advance } = world;
  const { url, deliveries } = await startReceiver();
  const secret = "a shared secret";
  const events = ["DEPLOYMENT_STARTED", "DEPLOYMENT_SUCCEEDED", "DEPLOYMENT_FAILED"];
  await makeWebhook(world, { target_url: url, target_secret: secret, events, enabled: true });
  const applicationId = await makeApplication(world);
  await client.post(`/application/${applicationId}/deploy`);
  await advance(10_000);
  await expect.poll(() => deliveries.length).toBe(2);
  const byType = deliveries.toSorted((a, b) => (a.body.event_type < b.body.event_type ? -1 : 1));
  expect(byType.map(({ body }) => body)).toMatchObject([
    {
      event_type: "DEPLOYMENT_STARTED",
      payload: { application_id: applicationId, status: "DEPLOYMENT_QUEUED" },
    },
    {
      event_type: "DEPLOYMENT_SUCCEEDED",
      payload: { application_id: applicationId, status: "DEPLOYED", environment_id: world.environmentId },
    },
  ]);
  for (const { text, headers } of deliveries) {
    const signature = createHmac("sha256", secret).update(text).digest("hex");
    expect(headers["x-webhook-signature"]).toBe(`sha256=${signature}`);
    expect(headers["content-type"]).toBe("application/json");
  }
});

test("a webhook accepts both names of an event, and without a secret sends no signature", async () => {
  const world = await startWorld();
  const { url, deliveries } = await startReceiver();
  await makeWebhook(world, { kind: "STANDARD", target_url: url, events: ["DEPLOYMENT_SUCCESSFUL"] });
  await world.client.post(`/application/${await makeApplication(world)}/deploy`);
  await world.advance(10_000);
  await expect.poll(() => deliveries.map(({ body }) => body.event_type)).toEqual(["DEPLOYMENT_SUCCESSFUL"]);
  expect(deliveries[0]?.headers).not.toHaveProperty("x-webhook-signature");
});

test("a webhook receives events for a failed and for a cancelled deployment", async () => {
  const world = await startWorld();
  const { client, control, environmentId, advance } = world;
  const { url, deliveries } = await startReceiver();
  await makeWebhook(world, { target_url: url, events: ["DEPLOYMENT_FAILURE", "DEPLOYMENT_CANCELLED"] });
  const id = await makeApplication(world);
  await control.post("/_emulator/faults", [
    { path: "/application/*/deploy", times: 1, fail_deployment: true },
  ]);
  await client.post(`/application/${id}/deploy`);
  await advance(10_000);
  expect(await client.get(`/application/${id}/status`)).toMatchObject({ state: "DEPLOYMENT_ERROR" });
  await client.post(`/application/${id}/deploy`);
  await client.post(`/environment/${environmentId}/cancelDeployment`, { force_cancel: true });
  await expect
    .poll(() => deliveries.map(({ body }) => body.event_type).toSorted())
    .toEqual(["DEPLOYMENT_CANCELLED", "DEPLOYMENT_FAILURE"]);
});

test("a webhook receives nothing when it is disabled or filters other projects or modes", async () => {
  const world = await startWorld();
  const { client, environmentId, advance } = world;
  const { url, deliveries } = await startReceiver();
  const events = ["DEPLOYMENT_STARTED"];
  const mode = "PRODUCTION";
  await makeWebhook(world, { target_url: `${url}?off`, events, enabled: false });
  await makeWebhook(world, { target_url: `${url}?project`, events, project_names_filter: ["other"] });
  await makeWebhook(world, { target_url: `${url}?mode`, events, environment_types_filter: [mode] });
  const all = [...events, "DEPLOYMENT_SUCCEEDED"];
  await makeWebhook(world, { target_url: `${url}?wanted`, events: all, project_names_filter: ["shop"] });
  await makeApplication(world);
  await client.post(`/environment/${environmentId}/deploy`);
  await expect.poll(() => deliveries.length).toBeGreaterThan(0);
  await advance(10_000);
  // The start event of the others would arrive before the end event of this one.
  await expect
    .poll(() => deliveries.map((delivery) => delivery.url))
    .toEqual(["/hook?wanted", "/hook?wanted"]);
});

test("a PUT without the secret of a webhook keeps it, and no response shows it", async () => {
  const world = await startWorld();
  const { client, organizationPath } = world;
  const body = { target_url: "http://127.0.0.1:9/", events: ["DEPLOYMENT_STARTED"] };
  const id = await makeWebhook(world, { ...body, target_secret: "canary" });
  const changed = await client.put(`${organizationPath}/webhook/${id}`, body);
  expect(changed).toMatchObject({ target_secret_set: true, enabled: true, kind: "STANDARD" });
  expect(JSON.stringify(await client.get(`${organizationPath}/webhook`))).not.toContain("canary");
});
