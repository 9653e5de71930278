import { expect, test } from "vitest";
import { unknownValue } from "../../../core/problems/unknown.ts";
import { start, startAgain } from "./start.ts";

test("a Deployment deploys when it is created and when its triggers change, and a refresh reads nothing", async () => {
  const { server, plugin } = await start({ emulator: { behaviour: { deploy_delay_ms: 0 } } });
  const project = await plugin.create("Project", { name: "shop" });
  const staging = await plugin.create("Environment", { project: project.id, name: "staging" });
  const job = await plugin.create("Job", {
    environment: staging.id,
    name: "nightly",
    source: { image: { registry: "docker-hub", imageName: "acme/report", tag: "1" } },
    schedule: { onStart: {} },
  });
  const inputs = { services: [job.id], triggers: ["1"] };
  await server.forgetRequests();
  expect(await plugin.previewCreation("Deployment", { services: unknownValue })).toEqual({
    services: unknownValue,
    environments: unknownValue,
  });
  expect((await plugin.check("Deployment", { services: [job.id, staging.id] })).failures).toEqual([
    {
      property: "",
      reason: "services[1] is the id of an Environment, which is not a service; name the services to deploy",
    },
  ]);
  expect(await server.seen()).toEqual([]);

  const deployment = await plugin.create("Deployment", inputs);
  expect(deployment.outputs).toEqual({ ...inputs, environments: [staging.id] });
  expect(await server.writes()).toMatchObject([{ method: "POST" }]);

  const later = await startAgain(server);
  // A state of the dynamic provider has its code.
  for (const entry of [job, deployment]) {
    const old = { ...entry, outputs: { ...entry.outputs, __provider: "exports.handler = …" } };
    expect((await later.read(old))?.outputs).toEqual(entry.outputs);
  }
  await server.forgetRequests();
  expect(await later.read(deployment)).toEqual(deployment);
  // The engine asks about a service of the program before it asks about what depends on it.
  expect(await later.diff(job, job.inputs)).toMatchObject({ changes: false });
  expect(await later.diff(deployment, inputs)).toMatchObject({ changes: false });
  expect(await later.diff(deployment, { ...inputs, triggers: ["2"] })).toEqual({
    changes: true,
    replaces: ["triggers"],
    deleteBeforeReplace: false,
    details: { triggers: "UPDATE_REPLACE*" },
  });
  const waiting = await later.update(deployment, { ...inputs, wait: true });
  expect(waiting.outputs).toEqual({ ...inputs, wait: true, environments: [staging.id] });
  await later.remove(waiting);
  expect(await server.seen()).toEqual([]);
  await expect(later.import("Deployment", "shop/staging")).rejects.toThrow("a Deployment cannot be imported");
});
