import { expect, test } from "vitest";
import type { Properties } from "../../../provider/lifecycle/inputs.ts";
import type { Entry } from "./pass.ts";
import { useStaging } from "./staging.ts";

const staging = useStaging();
const { pass, nightly, services } = staging;

test.each(["/organization", "/organization/*/containerRegistry"])(
  "a failed read of %s is not remembered",
  async (path) => {
    const first = await pass();
    await staging.server.api("POST", "/_emulator/faults", [{ path, status: 403, times: 1 }]);
    await expect(first.create("Job", nightly())).rejects.toThrow("403");
    expect((await first.create("Job", { ...nightly(), name: "other" })).initErrors).toEqual([]);
  },
);

test("an unclear creation is looked up before it is repeated", async () => {
  await staging.server.api("POST", "/_emulator/faults", [
    { method: "POST", path: "/environment/*/job", drop: "after", times: 1 },
  ]);
  const job = await (await pass()).create("Job", nightly());
  expect((await services()).map(({ id }) => id)).toEqual([job.id]);
});

const copy = (from: Entry) => ({
  environment: nightly()["environment"] ?? "",
  name: "copy",
  cloneFrom: from.id,
});

/** A creation with an unknown outcome, because the server refuses the reads afterwards. */
async function unclearly(drop: "before" | "after", path: string, inputs: Properties): Promise<Entry> {
  // A clone is looked up before its request, too.
  const after = "cloneFrom" in inputs ? 2 : 1;
  const faults = [
    { method: "POST", path, drop },
    { method: "GET", path: "/environment/*/services", status: 403, after },
  ];
  await staging.server.api("POST", "/_emulator/faults", faults);
  const entry = await (await pass()).create("Job", inputs);
  await staging.server.api("DELETE", "/_emulator/faults");
  expect(entry.initErrors.join()).toMatch(
    /^its creation may or may not have happened: .*; run `pulumi up` again/,
  );
  return entry;
}
const unclearJob = (drop: "before" | "after") => unclearly(drop, "/environment/*/job", nightly());

test.each(["before", "after"] as const)(
  "a possible creation exists once after the next up, when the connection broke %s the server carried it out",
  async (drop) => {
    const unclear = await unclearJob(drop);
    const { entry, step } = await (await pass()).up(unclear, { ...nightly(), cpu: 700 });
    expect(step).toBe("replace");
    expect(await services()).toMatchObject([{ id: entry.id, cpu: 700 }]);
    expect((await (await pass()).up(entry, entry.inputs)).step).toBe("same");
    expect(await (await pass()).refresh(unclear)).toMatchObject({ id: entry.id });
  },
);

test.each(["before", "after"] as const)(
  "a possible clone exists once after the next up, when the connection broke %s the server carried it out",
  async (drop) => {
    const source = await (await pass()).create("Job", { ...nightly(), memory: 1024 });
    const inputs = { ...copy(source), cpu: 700 };
    const unclear = await unclearly(drop, "/job/*/clone", inputs);
    const { entry } = await (await pass()).up(unclear, inputs);
    expect(entry).toMatchObject({ outputs: { cpu: 700, memory: 1024 }, initErrors: [] });
    expect((await services()).map(({ id }) => id)).toEqual([source.id, entry.id]);
    expect((await (await pass()).up(entry, inputs)).step).toBe("same");
  },
);

test("an unclear creation in a replacement has the same result as a clear one", async () => {
  const job = await (await pass()).create("Job", nightly());
  const lifecycle = { ...nightly(), schedule: { onStart: {} } };
  const lost = { method: "POST", path: "/environment/*/job", drop: "after", times: 1 };
  await staging.server.api("POST", "/_emulator/faults", [lost]);

  const { entry, step } = await (await pass()).up(job, lifecycle);

  expect(step).toBe("replace");
  expect(entry.id).not.toBe(job.id);
  expect(await services()).toMatchObject([{ id: entry.id, job_type: "LIFECYCLE" }]);
  expect((await (await pass()).up(entry, lifecycle)).step).toBe("same");
});

test("a possible project exists once after the next up", async () => {
  const path = "/organization/*/project";
  const faults = [
    { method: "POST", path, drop: "after" },
    { method: "GET", path, status: 403, after: 1 },
  ];
  await staging.server.api("POST", "/_emulator/faults", faults);
  const unclear = await (await pass()).create("Project", { name: "other" });
  await staging.server.api("DELETE", "/_emulator/faults");
  const { entry } = await (await pass()).up(unclear, { name: "other" });
  const projects = await staging.server.results(`/organization/${staging.server.organization.id}/project`);
  expect(projects).toMatchObject([{ name: "shop" }, { name: "other", id: entry.id }]);
});

test("the next up waits for the possible clone of an environment", async () => {
  await (await pass()).create("Job", nightly());
  const project = staging.environment.outputs["project"] ?? "";
  const inputs = { project, name: "copy", cloneFrom: staging.environment.id };
  await staging.server.api("POST", "/_emulator/faults", [
    { method: "POST", path: "/environment/*/clone", drop: "after" },
    { method: "GET", path: "/project/*/environment", status: 403, after: 2 },
  ]);
  const unclear = await (await pass()).create("Environment", inputs);
  expect(unclear.id).toBe("unclear");
  await staging.server.api("DELETE", "/_emulator/faults");
  await staging.server.forgetRequests();
  const { entry } = await (await pass()).up(unclear, inputs);
  const seen = (await staging.server.seen()).map(({ method, path }) => `${method} ${path}`);
  expect(seen).toContain(`GET /environment/${entry.id}/services`);
  expect(seen.filter((request) => !request.startsWith("GET "))).toEqual([]);
});

test("a possible creation is never deleted by its name alone", async () => {
  const unclear = await unclearJob("after");
  const project = staging.environment.outputs["project"] ?? "";
  const other = await (await pass()).create("Environment", { project, name: "other" });
  await staging.server.forgetRequests();
  await expect((await pass()).remove(unclear)).rejects.toThrow("run `pulumi refresh`");
  for (const elsewhere of [
    { ...nightly(), name: "renamed" },
    { ...nightly(), environment: other.id },
  ]) {
    await expect((await pass()).up(unclear, elsewhere)).rejects.toThrow("run `pulumi refresh`");
  }
  expect(await staging.server.writes()).toEqual([]);
});

test("a possible creation under another name does not adopt the resource with the new name", async () => {
  const renamed = { ...nightly(), name: "renamed" };
  await (await pass()).create("Job", renamed);
  const unclear = await unclearJob("before");
  await expect((await pass()).up(unclear, renamed)).rejects.toThrow("the name is taken");
});

test("a refresh finds a possible creation that exists", async () => {
  const refreshed = await (await pass()).refresh(await unclearJob("after"));
  const [made] = await services();
  expect(refreshed).toMatchObject({ id: made?.["id"], outputs: { cpu: 500 } });
  if (!refreshed) return;
  const { entry, step } = await (await pass()).up(refreshed, nightly());
  expect(step).toBe("update");
  expect((await (await pass()).up(entry, nightly())).step).toBe("same");
});

test("a possible creation that does not exist is gone", async () => {
  expect(await (await pass()).refresh(await unclearJob("before"))).toBeUndefined();
});
