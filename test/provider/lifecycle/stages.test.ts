import { expect, test } from "vitest";
import type { Fields } from "../../../core/values/json.ts";
import { useStaging } from "./staging.ts";

const staging = useStaging();
const { pass, nightly } = staging;

/** The stages of the environment in the order of their deployment. */
async function stages(): Promise<Fields[]> {
  return staging.server.results(`/environment/${String(staging.environment.id)}/deploymentStage`);
}

const stage = (name: string, more = {}) => ({ environment: staging.environment.id, name, ...more });

test("a stage and the stage of a job are written, refreshed and moved", async () => {
  const early = await (await pass()).create("DeploymentStage", stage("early", { description: "first" }));
  const late = await (await pass()).create("DeploymentStage", stage("late", { after: "early" }));
  expect(late.outputs).toMatchObject({ name: "late", after: "early", deploymentOrder: 3 });
  const job = await (await pass()).create("Job", { ...nightly(), deploymentStage: "EARLY" });
  expect(
    (await stages()).map(({ services }) => (services as Fields[]).map((each) => each["service_id"])),
  ).toEqual([[], [job.id], []]);
  expect((await (await pass()).up(job, job.inputs)).step).toBe("same");
  expect((await (await pass()).up(late, late.inputs)).step).toBe("same");
  expect(await (await pass()).refresh(late)).toMatchObject({ outputs: late.outputs });

  await staging.server.api("PUT", `/deploymentStage/${late.id}/service/${job.id}`, null);
  const drifted = await (await pass()).refresh(job);
  expect(drifted?.outputs["deploymentStage"]).toBe("late");
  const { step } = await (await pass()).up(drifted ?? job, job.inputs);
  expect(step).toBe("update");
  expect((await (await pass()).refresh(job))?.outputs["deploymentStage"]).toBe("EARLY");

  const { entry } = await (await pass()).up(early, stage("early", { description: "first", after: "late" }));
  expect((await stages()).map(({ name }) => name)).toEqual(["DEFAULT", "late", "early"]);
  expect((await (await pass()).up(entry, entry.inputs)).step).toBe("same");
});

test("a stage that does not exist is refused before the job is created", async () => {
  await (await pass()).create("DeploymentStage", stage("early"));
  await expect((await pass()).create("Job", { ...nightly(), deploymentStage: "erly" })).rejects.toThrow(
    'deploymentStage: there is no DeploymentStage "erly" in the Environment; did you mean early?',
  );
  expect(await staging.server.results(`/environment/${String(staging.environment.id)}/services`)).toEqual([]);
});

test("a job that declares no stage costs no list of stages", async () => {
  const job = await (await pass()).create("Job", nightly());
  await (await pass()).refresh(job);
  const paths = (await staging.server.seen()).map(({ path }) => path);
  expect(paths.filter((path) => path.includes("deploymentStage"))).toEqual([]);
});
