import { expect, test } from "vitest";
import type { Fields } from "../../../core/values/json.ts";
import { configOf } from "../../../provider/plugin/configuration.ts";
import { Provider } from "../../../provider/plugin/provider.ts";
import { InitFailed } from "./plugin-client.ts";
import { start, startAgain } from "./start.ts";

const job: Fields = {
  environment: "8a5d8b0e-5c2f-4e7a-9f37-2f0d5f1f0c55",
  name: "nightly",
  source: { image: { registry: "docker-hub", imageName: "acme/report", tag: "1.4.2" } },
  schedule: { cronjob: { scheduledAt: "0 3 * * *" } },
};

test("mistakes are reported all at once, and at their inputs if the engine can print the values of these", async () => {
  const { server, plugin } = await start();
  const { failures } = await plugin.check("Job", {
    ...job,
    cpu: "500",
    memmory: 1,
    source: { image: { registry: "docker-hub", imageName: "acme/report", tag: 1 } },
    variables: { A: { aliasOf: "A" } },
  });
  const tag = expect.stringMatching(/^source\.image\.tag must be a text, not a number \(Image tag\)$/);
  expect(failures.toSorted((one, other) => one.reason.localeCompare(other.reason))).toEqual([
    { property: "memmory", reason: 'a Job has no input "memmory"; did you mean memory?' },
    {
      property: "cpu",
      reason: expect.stringMatching(/^cpu must be a whole number, not a text \(CPU in millicores/),
    },
    { property: "", reason: tag },
    { property: "", reason: "variables.A is an alias of itself; name another, or declare a value" },
  ]);
  expect(await server.seen()).toEqual([]);
});

test("a mistake names no property whose value would fill the screen, because the engine prints the value", async () => {
  const { plugin } = await start();
  const { failures } = await plugin.check("Job", { ...job, name: "n".repeat(5000) });
  expect(failures).toEqual([{ property: "", reason: expect.stringContaining("more than 1000 characters") }]);
  expect(failures[0]?.reason.length).toBeLessThan(200);
});

test("why a resource is replaced is said once for all properties", async () => {
  const { server, plugin } = await start();
  const project = await plugin.create("Project", { name: "shop" });
  const staging = { project: project.id, name: "staging", cluster: "eu-west" };
  const { id: environment } = await plugin.create("Environment", staging);
  const { id, inputs, outputs } = await plugin.create("Job", { ...job, environment });
  const reported: string[] = [];
  const provider = new Provider({}, (_severity, message) => reported.push(message));
  provider.config = configOf({ baseUrl: server.emulator.url, token: server.emulator.tokens.admin });
  const urn = "urn:pulumi:dev::test::infrasync:index:Job::nightly";
  const news = { ...inputs, schedule: { onStart: {} } };
  await provider.diff(urn, id, { oldInputs: inputs, oldOutputs: outputs, inputs: news });
  expect(reported).toEqual([
    expect.stringMatching(/^a change of schedule\.\w+ and schedule\.\w+ replaces the Job: a cron job/),
  ]);
});

test("a missing input is reported by name, and not as a value that the engine would print as nil", async () => {
  const { plugin } = await start();
  const { failures } = await plugin.check("Job", { name: "nightly" });
  expect(failures.map(({ property }) => property)).toEqual(["", "", ""]);
  expect(failures.map(({ reason }) => reason.split(" ")[0])).toEqual(["environment", "source", "schedule"]);
});

test("a mistake says once what must be there", async () => {
  const { plugin } = await start();
  const reasons = async (inputs: Fields) =>
    (await plugin.check("Job", inputs)).failures.map(({ reason }) => reason);
  expect(await reasons({ name: "nightly" })).toEqual([
    "environment is missing (Id of its Environment)",
    "source is needed",
    "schedule is needed",
  ]);
  expect(await reasons({ ...job, cpu: "500" })).toEqual([
    "cpu must be a whole number, not a text (CPU in millicores: 1000 is one CPU)",
  ]);
});

test("a creation whose outcome is unknown is in the state, and the next run finds what it has created", async () => {
  const { server, plugin } = await start();
  const project = await plugin.create("Project", { name: "shop" });
  await server.api("POST", "/_emulator/faults", [
    { method: "POST", path: "/project/*/environment", drop: "after", times: 1 },
    { method: "GET", path: "/project/*/environment", status: 403 },
  ]);
  const inputs = { project: project.id, name: "staging" };
  const failure = await plugin.create("Environment", inputs).catch((error: unknown) => error);
  await server.api("DELETE", "/_emulator/faults");
  if (!(failure instanceof InitFailed)) throw failure;
  expect(failure.reasons.join("\n")).toMatch(/its creation may or may not have happened/);

  const later = await startAgain(server);
  const entry = { kind: "Environment", id: failure.id, inputs, outputs: failure.properties };
  expect((await later.read(entry))?.id).toBe(await server.idOf("shop/staging"));
});

test("a creation waits no longer than customTimeouts says", async () => {
  const { plugin } = await start({
    emulator: { behaviour: { clone_delay_ms: 60_000 } },
    config: { cloneTimeout: "10m" },
  });
  const project = await plugin.create("Project", { name: "shop" });
  const staging = await plugin.create("Environment", { project: project.id, name: "staging" });
  const copy = { project: project.id, name: "copy", cloneFrom: staging.id };
  await expect(plugin.create("Environment", copy, 0.5)).rejects.toThrow(
    "could not be read completely within",
  );
});

test("a clone that is accepted and not finished in time is in the state, and an update continues it", async () => {
  const { server, plugin } = await start({ emulator: { behaviour: { clone_delay_ms: 6000 } } });
  const project = await plugin.create("Project", { name: "shop" });
  const staging = await plugin.create("Environment", { project: project.id, name: "staging" });
  const inputs = { project: project.id, name: "copy", cloneFrom: staging.id };
  const failure = await plugin.create("Environment", inputs).catch((error: unknown) => error);
  if (!(failure instanceof InitFailed)) throw failure;
  expect(failure.reasons.join("\n")).toMatch(/clone/);
  const later = await startAgain(server, { config: { cloneTimeout: "20s" } });
  const entry = { kind: "Environment", id: failure.id, inputs, outputs: failure.properties };
  expect(await later.diff(entry, inputs)).toMatchObject({ changes: true, replaces: [] });
  expect(await later.update(entry, inputs)).toMatchObject({ outputs: { name: "copy" } });
});
