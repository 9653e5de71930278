import { expect, test } from "vitest";
import { UnfinishedError } from "../../../provider/lifecycle/errors.ts";
import type { Properties } from "../../../provider/lifecycle/inputs.ts";
import { ignoredProperty } from "../../../provider/lifecycle/internal.ts";
import { useStaging } from "./staging.ts";

const staging = useStaging();
const { pass, nightly } = staging;

async function variablesOf(id: string): Promise<Record<string, unknown>> {
  const { results } = (await staging.server.api("GET", `/variable?parent_id=${id}&scope=JOB`)) as {
    results: { key: string; value: string; scope: string }[];
  };
  return Object.fromEntries(
    results.filter(({ scope }) => scope === "JOB").map(({ key, value }) => [key, value]),
  );
}

test("variables are written with their resource, updated, and removed when the program no longer declares them", async () => {
  const job = await (
    await pass()
  ).create("Job", { ...nightly(), variables: { A: "one", B: { value: "two", description: "b" } } });
  expect(job.outputs["variables"]).toEqual({ A: { value: "one" }, B: { value: "two", description: "b" } });
  await staging.server.api("POST", "/variable", {
    key: "OTHERS",
    value: "x",
    is_secret: false,
    variable_scope: "JOB",
    variable_parent_id: job.id,
  });
  expect((await (await pass()).up(job, job.inputs)).step).toBe("same");
  const { entry, step } = await (await pass()).up(job, { ...nightly(), variables: { A: "ONE" } });
  expect(step).toBe("update");
  expect(await variablesOf(job.id)).toEqual({ A: "ONE", OTHERS: "x" });
  expect(entry.outputs["variables"]).toEqual({ A: { value: "ONE" } });
  const { entry: last } = await (await pass()).up(entry, nightly());
  expect(await variablesOf(job.id)).toEqual({ OTHERS: "x" });
  expect((await (await pass()).up(last, nightly())).step).toBe("same");
});

test("a refresh shows changes of the variables that the program declares", async () => {
  const job = await (await pass()).create("Job", { ...nightly(), variables: { A: "one", B: "two" } });
  const { results } = (await staging.server.api("GET", `/variable?parent_id=${job.id}&scope=JOB`)) as {
    results: { id: string; key: string }[];
  };
  const id = results.find(({ key }) => key === "A")?.id ?? "";
  await staging.server.api("PUT", `/variable/${id}`, { key: "A", value: "manually" });
  const refreshed = await (await pass()).refresh(job);
  expect(refreshed?.outputs["variables"]).toEqual({ A: { value: "manually" }, B: { value: "two" } });
  const { step } = await (await pass()).up(refreshed ?? job, job.inputs);
  expect(step).toBe("update");
  expect(await variablesOf(job.id)).toEqual({ A: "one", B: "two" });
});

test("mistakes in variables are reported by the check", async () => {
  const make = async (variables: object) =>
    (await pass()).create("Job", { ...nightly(), variables } as never);
  await expect(make({ A: { aliasOf: "A" } })).rejects.toThrow("variables.A is an alias of itself");
  await expect(make({ "1A": "x" })).rejects.toThrow('"1A" cannot be a key');
  await expect(make({ A: 5 })).rejects.toThrow("variables.A.value");
});

test("a secret is written, and written again when the program declares another value", async () => {
  const secrets = { PASSWORD: "first-c4nary" };
  const job = await (await pass()).create("Job", { ...nightly(), secrets });
  const { results } = (await staging.server.api("GET", `/variable?parent_id=${job.id}&scope=JOB`)) as {
    results: { key: string; is_secret: boolean; updated_at: string }[];
  };
  expect(results.filter(({ key }) => key === "PASSWORD")).toMatchObject([{ is_secret: true }]);
  const refreshed = (await (await pass()).refresh(job)) ?? job;
  expect((await (await pass()).up(refreshed, job.inputs)).step).toBe("same");
  await staging.server.forgetRequests();
  const { entry, step } = await (
    await pass()
  ).up(job, { ...nightly(), secrets: { PASSWORD: "second-c4nary" } });
  expect(step).toBe("update");
  const writes = (await staging.server.seen()).filter(({ method }) => method !== "GET");
  expect(writes).toMatchObject([{ method: "PUT", path: expect.stringMatching(/^\/variable\//) }]);
  expect(
    (await (await pass()).up(entry, { ...nightly(), secrets: { PASSWORD: "second-c4nary" } })).step,
  ).toBe("same");
  await expect((await pass()).up(entry, nightly())).rejects.toThrow(
    "job:shop/staging/nightly would lose the secret PASSWORD, which cannot be restored",
  );
  const allowing = await pass({ "infrasync:allowLosses": "job:shop/staging/*" });
  const { entry: last } = await allowing.up(entry, nightly());
  expect(await variablesOf(job.id)).toEqual({});
  expect(JSON.stringify(last.outputs)).not.toContain("c4nary");
});

test("an update that failed half-way is in the state, so that a program that is changed back sets it back", async () => {
  const { server } = staging;
  const job = await (await pass()).create("Job", { ...nightly(), cpu: 500 });
  await server.api("POST", "/_emulator/faults", [
    { method: "POST", path: "/variable", status: 400, times: 1 },
  ]);
  const news = { ...nightly(), cpu: 600, variables: { A: "one" } };
  const error: unknown = await (await pass()).update(job, news).catch((thrown: unknown) => thrown);
  if (!(error instanceof UnfinishedError)) throw error;
  expect(error.message).toContain("part of the change has been made");
  expect(await server.api("GET", `/job/${job.id}`)).toMatchObject({ cpu: 600 });
  const half = { ...job, inputs: news, outputs: error.properties, initErrors: error.reasons };
  const { step, entry } = await (await pass()).up(half, job.inputs);
  expect(step).toBe("update");
  expect(await server.api("GET", `/job/${job.id}`)).toMatchObject({ cpu: 500 });
  expect((await (await pass()).up(entry, job.inputs)).step).toBe("same");
});

test("an update with ignoreChanges that failed half-way keeps what somebody has changed", async () => {
  const { server } = staging;
  const job = await (await pass()).create("Job", { ...nightly(), cpu: 500 });
  const live = (await server.api("GET", `/job/${job.id}`)) as Properties;
  await server.api("PUT", `/job/${job.id}`, { ...live, cpu: 700 });
  await server.api("POST", "/_emulator/faults", [
    { method: "POST", path: "/variable", status: 400, times: 1 },
  ]);
  const news = { ...nightly(), cpu: 500, memory: 640, variables: { A: "one" }, [ignoredProperty]: ["cpu"] };
  const error: unknown = await (await pass()).update(job, news).catch((thrown: unknown) => thrown);
  const outputs = error instanceof UnfinishedError ? error.properties : job.outputs;
  await (await pass()).up({ ...job, inputs: news, outputs }, news);
  expect(await server.api("GET", `/job/${job.id}`)).toMatchObject({ cpu: 700, memory: 640 });
});
