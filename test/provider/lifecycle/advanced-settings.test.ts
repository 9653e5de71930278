import { expect, test } from "vitest";
import type { Fields } from "../../../core/values/json.ts";
import { unknownValue } from "../../../core/problems/unknown.ts";
import { check } from "../../../provider/lifecycle/check.ts";
import { kindOf } from "../../../core/model/kinds/index.ts";
import { useStaging } from "./staging.ts";

const staging = useStaging();
const { pass, nightly, api } = staging;

const settingsOf = async (id: string) =>
  (await staging.server.api("GET", `/job/${id}/advancedSettings`)) as Fields;

test("settings are written, changed and refreshed, and get their defaults when the program no longer declares them", async () => {
  const advancedSettings = { "build.timeout_max_sec": 60, "build.ram_max_in_gib": 4 };
  const made = await (await pass()).create("Job", { ...nightly(), advancedSettings });
  const defaults = await staging.server.api("GET", "/defaultJobAdvancedSettings");
  expect(await settingsOf(made.id)).toEqual({ ...(defaults as Fields), ...advancedSettings });
  // The state keeps no settings that the program does not state.
  expect(made.outputs["advancedSettings"]).toEqual(advancedSettings);
  const refreshed = (await (await pass()).refresh(made)) ?? made;
  expect(refreshed).toEqual(made);
  expect((await (await pass()).up(refreshed, made.inputs)).step).toBe("same");
  const { step, entry } = await (
    await pass()
  ).up(refreshed, { ...nightly(), advancedSettings: { "build.ram_max_in_gib": 6 } });
  expect(step).toBe("update");
  expect(await settingsOf(made.id)).toEqual({ ...(defaults as Fields), "build.ram_max_in_gib": 6 });
  const { entry: bare } = await (await pass()).up(entry, nightly());
  expect(await settingsOf(made.id)).toEqual(defaults);
  expect((await (await pass()).up(bare, nightly())).step).toBe("same");
});

test("drift of a stated setting is seen and undone", async () => {
  const inputs = { ...nightly(), advancedSettings: { "build.ram_max_in_gib": 4 } };
  const made = await (await pass()).create("Job", inputs);
  await staging.server.api("PUT", `/job/${made.id}/advancedSettings`, {
    ...(await settingsOf(made.id)),
    "build.ram_max_in_gib": 7,
  });
  const refreshed = await (await pass()).refresh(made);
  expect(refreshed?.outputs["advancedSettings"]).toEqual({ "build.ram_max_in_gib": 7 });
  if (refreshed) expect((await (await pass()).up(refreshed, inputs)).step).toBe("update");
  expect(await settingsOf(made.id)).toMatchObject({ "build.ram_max_in_gib": 4 });
});

test("an unknown setting and a value of a wrong type are refused before anything is written", async () => {
  const create = async (advancedSettings: Fields) =>
    (await pass()).create("Job", { ...nightly(), advancedSettings });
  await expect(create({ "build.timeout_max_secs": 60 })).rejects.toThrow(
    'advancedSettings: there is no advanced setting "build.timeout_max_secs"; did you mean build.timeout_max_sec?',
  );
  await expect(create({ "build.timeout_max_sec": "60" })).rejects.toThrow(
    'advancedSettings: build.timeout_max_sec must be a whole number, not "60"',
  );
  expect(await staging.services()).toEqual([]);
});

test("a value that is not known yet passes the check, and one that a setting cannot have does not", () => {
  const failuresOf = (value: string) =>
    check(
      kindOf("Application"),
      {},
      { ...api(), advancedSettings: { "deployment.update_strategy.type": value } },
    ).failures;
  expect(failuresOf(unknownValue)).toEqual([]);
  expect(failuresOf("Recreated")).toHaveLength(1);
});

test("the network settings of a service are written, and get their defaults again", async () => {
  const networkOf = (id: string) => staging.server.api("GET", `/application/${id}/network`);
  const made = await (await pass()).create("Application", { ...api(), network: { stickySession: true } });
  expect(await networkOf(made.id)).toEqual({ sticky_session: true });
  const { step, entry } = await (await pass()).up(made, api());
  expect(step).toBe("update");
  expect(await networkOf(made.id)).toEqual({ sticky_session: false });
  expect((await (await pass()).up(entry, api())).step).toBe("same");
});

test("deployment restrictions are a list in programs, and those that the program no longer declares are removed", async () => {
  const restrictionsOf = async (id: string) =>
    (await staging.server.results(`/job/${id}/deploymentRestriction`)).map(
      ({ mode, value }) => `${String(mode)} ${String(value)}`,
    );
  const docs = { mode: "EXCLUDE", value: "docs/" };
  const source = { mode: "MATCH", type: "PATH", value: "src/" };
  const made = await (await pass()).create("Job", { ...nightly(), deploymentRestrictions: [docs, source] });
  expect(await restrictionsOf(made.id)).toEqual(["EXCLUDE docs/", "MATCH src/"]);
  expect(made.outputs["deploymentRestrictions"]).toEqual([{ ...docs, type: "PATH" }, source]);
  expect(made.inputs["deploymentRestrictions"]).toEqual([docs, source]);
  const refreshed = (await (await pass()).refresh(made)) ?? made;
  expect(refreshed.inputs).toEqual(made.inputs);
  expect((await (await pass()).up(refreshed, made.inputs)).step).toBe("same");
  const news = { ...nightly(), deploymentRestrictions: [source] };
  const { step, entry } = await (await pass()).up(refreshed, news);
  expect(step).toBe("update");
  expect(await restrictionsOf(made.id)).toEqual(["MATCH src/"]);
  const { entry: bare } = await (await pass()).up(entry, nightly());
  expect(await restrictionsOf(made.id)).toEqual([]);
  expect(bare.outputs["deploymentRestrictions"]).toEqual([]);
});

test("two equal restrictions, and one of an unknown mode, are reported by the check", async () => {
  const create = async (...deploymentRestrictions: Fields[]) =>
    (await pass()).create("Job", { ...nightly(), deploymentRestrictions });
  const docs = { mode: "EXCLUDE", value: "docs/" };
  await expect(create(docs, { ...docs, type: "PATH" })).rejects.toThrow(
    "deploymentRestrictions[1] has the same mode, type and value as deploymentRestrictions[0]",
  );
  await expect(create({ mode: "SKIP", value: "docs/" })).rejects.toThrow(
    "deploymentRestrictions[0].mode must be one of MATCH, EXCLUDE",
  );
});
