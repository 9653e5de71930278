import { expect, test } from "vitest";
import { bodyOf } from "./body-of.ts";
import { useStaging } from "./staging.ts";

const staging = useStaging();
const { pass, nightly, api, live } = staging;

test("for every kind, nothing differs after a creation or a refresh", async () => {
  const first = await pass();
  const entries = [
    staging.environment,
    await first.create("Job", nightly()),
    await first.create("Application", api()),
  ];
  for (const entry of entries) {
    expect((await first.up(entry, entry.inputs)).step).toBe("same");
    const refreshed = await (await pass()).refresh(entry);
    expect(refreshed?.outputs).toEqual(entry.outputs);
    expect(refreshed?.inputs).toEqual(entry.inputs);
    if (refreshed) expect((await first.up(refreshed, entry.inputs)).step).toBe("same");
  }
});

test("a refresh shows drift, and the next up reverts it", async () => {
  const job = await (await pass()).create("Job", { ...nightly(), cpu: 700 });
  await staging.server.api("PUT", `/job/${job.id}`, {
    ...bodyOf(await live(job)),
    name: "renamed",
    cpu: 900,
    memory: 2048,
  });
  const refreshed = await (await pass()).refresh(job);
  expect(refreshed).toMatchObject({
    inputs: { name: "renamed", cpu: 900 },
    outputs: { name: "renamed", cpu: 900, memory: 2048 },
  });
  expect(refreshed?.inputs).not.toHaveProperty("memory");
  if (!refreshed) return;
  const { entry, step } = await (await pass()).up(refreshed, job.inputs);
  expect(step).toBe("update");
  expect(entry.outputs).toMatchObject({ name: "nightly", cpu: 700, memory: 2048 });
});

test("a resource that disappears before its update is an error with the remedy", async () => {
  const job = await (await pass()).create("Job", nightly());
  await staging.server.api("DELETE", `/job/${job.id}`);
  await expect((await pass()).update(job, { ...nightly(), cpu: 700 })).rejects.toThrow(
    /has disappeared.*; run `pulumi refresh`, then `pulumi up`$/,
  );
});

test("a deleted resource is gone; a 403 or a 500 is an error", async () => {
  const job = await (await pass()).create("Job", nightly());
  for (const status of [403, 500]) {
    await staging.server.api("POST", "/_emulator/faults", [{ path: "/environment/*/services", status }]);
    await expect((await pass()).refresh(job)).rejects.toThrow(String(status));
    await staging.server.api("DELETE", "/_emulator/faults");
  }
  await staging.server.api("DELETE", `/job/${job.id}`);
  expect(await (await pass()).refresh(job)).toBeUndefined();
  await staging.server.api("DELETE", `/environment/${staging.environment.id}`);
  expect(await (await pass()).refresh(job)).toBeUndefined();
  expect(await (await pass()).refresh(staging.environment)).toBeUndefined();
});

test("a resource missing from a list is read by id before it counts as gone", async () => {
  const job = await (await pass()).create("Job", nightly());
  const empty = { path: "/environment/*/services", status: 200, body: { results: [] } };
  const unserved = { path: "/environment/*/statuses", status: 404 };
  await staging.server.api("POST", "/_emulator/faults", [empty, unserved]);
  expect(await (await pass()).refresh(job)).toMatchObject({ id: job.id });
});
