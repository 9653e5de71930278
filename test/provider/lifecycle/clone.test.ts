import { expect, onTestFinished, test } from "vitest";
import { Harness } from "../../fixtures/harness.ts";
import { Pass } from "./pass.ts";
import { useStaging } from "./staging.ts";

const staging = useStaging();
const { pass, nightly, api } = staging;

test("a clone gets the other inputs as overrides, and keeps the rest", async () => {
  const source = await (await pass()).create("Job", { ...nightly(), cpu: 700, memory: 1024 });
  const inputs = { environment: staging.environment.id, name: "copy", cloneFrom: source.id, cpu: 250 };
  const copy = await (await pass()).create("Job", inputs);
  expect(copy.outputs).toMatchObject({ cpu: 250, memory: 1024, cloneFrom: source.id });
  expect((await (await pass()).up(copy, inputs)).step).toBe("same");
  expect((await (await pass()).up(copy, { ...inputs, cloneFrom: staging.environment.id })).step).toBe("same");
  const other = await (await pass()).up(copy, { ...inputs, cloneFrom: staging.environment.id, cpu: 300 });
  expect(other).toMatchObject({ step: "update", entry: { outputs: { cpu: 300, cloneFrom: source.id } } });
  const { cpu: _cpu, ...without } = inputs;
  expect((await (await pass()).up(copy, without)).step).toBe("same");
  const refreshed = await (await pass()).refresh(other.entry);
  expect(refreshed?.inputs).toEqual({ ...inputs, cpu: 300 });
});

test("a clone that fails midway is kept, and the next up completes it", async () => {
  const source = await (await pass()).create("Job", nightly());
  const inputs = { environment: staging.environment.id, name: "copy", cloneFrom: source.id, cpu: 250 };
  await staging.server.api("POST", "/_emulator/faults", [
    { method: "PUT", path: "/job/*", status: 400, times: 1 },
  ]);
  const failed = await (await pass()).create("Job", inputs);
  expect(failed.initErrors).toEqual([
    expect.stringMatching(
      new RegExp(
        `^it is not finished: the clone \\(${failed.id}\\) has been requested, and the next step failed: 400 on PUT /job/.*; run \`pulumi up\` again to continue$`,
      ),
    ),
  ]);
  const { entry, step } = await (await pass()).up(failed, inputs);
  expect(step).toBe("update");
  expect(entry).toMatchObject({ id: failed.id, outputs: { cpu: 250 }, initErrors: [] });
  expect(entry.outputs).not.toHaveProperty("__unfinished");
  expect((await (await pass()).up(entry, inputs)).step).toBe("same");
});

test("an unfinished clone survives a refresh and a rename", async () => {
  const source = await (await pass()).create("Job", nightly());
  const inputs = { environment: staging.environment.id, name: "copy", cloneFrom: source.id, cpu: 250 };
  await staging.server.api("POST", "/_emulator/faults", [
    { method: "PUT", path: "/job/*", status: 400, times: 1 },
  ]);
  const failed = await (await pass()).create("Job", inputs);
  const refreshed = await (await pass()).refresh(failed);
  expect(refreshed).toBeDefined();
  if (!refreshed) return;
  const { entry } = await (await pass()).up(refreshed, { ...inputs, name: "renamed" });
  expect(entry.outputs).toMatchObject({ name: "renamed", cpu: 250 });
});

test("an environment is cloned with all its contents", async () => {
  await (await pass()).create("Job", nightly());
  await (await pass()).create("Application", api());
  const project = String(staging.environment.outputs["project"]);
  const preview = await (
    await pass()
  ).create("Environment", { project, name: "preview", cloneFrom: staging.environment.id, mode: "PREVIEW" });
  expect(preview.outputs).toMatchObject({ mode: "PREVIEW", clusterName: "eu-west" });
  expect(
    (await staging.server.results(`/environment/${preview.id}/services`)).map(({ name }) => name),
  ).toEqual(["nightly", "api"]);
  expect((await (await pass()).up(preview, preview.inputs)).step).toBe("same");
});

test("an environment whose clone failed midway is completed, not replaced", async () => {
  await (await pass()).create("Job", nightly());
  const project = String(staging.environment.outputs["project"]);
  const inputs = { project, name: "copy", cloneFrom: staging.environment.id, cluster: "us-east" };
  // The first list is of the source's contents, the second of the clone's.
  const fault = { method: "GET", path: "/environment/*/services", status: 403, after: 1 };
  await staging.server.api("POST", "/_emulator/faults", [fault]);
  const failed = await (await pass()).create("Environment", inputs);
  expect(failed.initErrors.join()).toContain("403");
  await staging.server.api("DELETE", "/_emulator/faults");
  const { entry, step } = await (await pass()).up(failed, inputs);
  expect(step).toBe("update");
  expect(entry).toMatchObject({ id: failed.id, outputs: { clusterName: "us-east" } });
  expect((await staging.server.results(`/environment/${entry.id}/services`)).length).toBe(1);
});

test("a clone that exceeds the time limit is kept, and the next up completes it", async () => {
  const slow = await Harness.start({ clock: "frozen", behaviour: { clone_delay_ms: 1500 } });
  onTestFinished(() => slow[Symbol.asyncDispose]());
  const next = (cloneTimeout: string) =>
    Pass.start(slow.emulator, { "infrasync:cloneTimeout": cloneTimeout }, slow.clock);
  const first = await next("1s");
  const project = await first.create("Project", { name: "shop" });
  const target = await first.create("Environment", { project: project.id, name: "staging" });
  const source = await first.create("Job", { ...nightly(), environment: target.id });
  const inputs = { environment: target.id, name: "copy", cloneFrom: source.id, cpu: 250 };
  const pending = await first.create("Job", inputs);
  expect(pending.initErrors.join()).toMatch(/could not be read completely within 1 s; run `pulumi up` again/);
  const { entry } = await (await next("5s")).up(pending, inputs);
  expect(entry).toMatchObject({ id: pending.id, outputs: { cpu: 250 }, initErrors: [] });
});

test("an override that a clone does not support is refused before any request", async () => {
  const source = await (await pass()).create("Job", nightly());
  await staging.server.forgetRequests();
  const inputs = {
    environment: staging.environment.id,
    name: "copy",
    cloneFrom: source.id,
    schedule: { onStart: {} },
  };
  await expect((await pass()).create("Job", inputs)).rejects.toThrow(
    "a cron job cannot become a lifecycle job",
  );
  expect(await staging.server.writes()).toEqual([]);
});
