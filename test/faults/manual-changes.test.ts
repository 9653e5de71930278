import { afterAll, beforeAll, expect, test } from "vitest";
import { seed, tries } from "../fixtures/random-cases.ts";
import { playScenarios, Stage, type Scenario } from "./manual-changes.ts";

test("whatever people do between a plan and its apply, a run loses only what the plan lists by live id", async () => {
  const count = tries(12);
  const figures = await playScenarios({ count, seed: seed + 2 });
  console.log("manual changes:", figures);
  expect(figures.schedules).toBe(count);
  expect(figures.lost).toBeGreaterThan(0);
  expect(figures.ends["0"]).toBeGreaterThan(0);
});

let stage: Stage;

beforeAll(async () => {
  stage = await Stage.open();
});

afterAll(() => stage[Symbol.asyncDispose]());

const where = "shop/staging";
const anything = [["--prune"], ["--allow-replace", "**"], ["--max-deletes", "50,100%"]];
const scenario = (edits: string[], more: Partial<Scenario> = {}): Scenario => ({
  edits,
  before: [],
  between: [],
  flags: anything,
  ...more,
});

/** Scenarios whose run loses something, and so has to list it. */
test.each([
  ["a variable", scenario(["a variable is removed"]), ["variable COLOR"]],
  ["a secret", scenario(["a secret is removed"]), ["secret PASSWORD"]],
  [
    "an override that goes with a variable",
    scenario(["a variable of the environment is removed"], {
      before: [{ what: "overrides a variable of the environment", where }],
    }),
    ["variable LEVEL", "variable LEVEL"],
  ],
  ["a volume", scenario(["no volume"]), ["volume /data"]],
  ["part of a volume", scenario(["a smaller volume"]), ["volume /data"]],
  [
    "a volume that a person has added",
    scenario(["nothing"], { before: [{ what: "adds a volume", where }] }),
    ["volume /more"],
  ],
  [
    "what a person has added to a volume",
    scenario(["nothing"], { before: [{ what: "enlarges the volume", where }] }),
    ["volume /data"],
  ],
  ["part of a database", scenario(["a smaller database"]), ["data "]],
  ["a version", scenario(["a lower version"]), ["version "]],
  [
    "a database with its backup",
    scenario(["a managed database"], { before: [{ what: "makes a backup", where }] }),
    ["data ", "resource ", "resource ", "version "],
  ],
  [
    "an application with a secret that a person has added",
    scenario(["the application is no longer declared"], { before: [{ what: "adds a secret", where }] }),
    ["resource ", "secret HAND_SECRET", "secret PASSWORD", "variable COLOR", "volume /data"],
  ],
])("a run loses %s, and its plan lists it", async (_what, given, expected) => {
  const { code, lost } = await stage.play(given);
  expect(code).toBe(0);
  expect(lost.map(({ what, key }) => `${what} ${key}`).toSorted()).toEqual(expected);
});

/** Scenarios in which a person does something that the reviewed plan has not seen. */
test.each([
  ["adds a volume", ["no volume"]],
  ["enlarges the volume", ["a smaller volume"]],
  ["enlarges the database", ["a smaller database"]],
  ["adds a secret", ["the application is no longer declared"]],
  ["adds a variable", ["the application is no longer declared"]],
  ["makes a backup", ["the database is no longer declared"]],
  ["adds a service", ["another cluster"]],
  ["adds a volume", ["another cluster"]],
  ["enlarges the database", ["another cluster"]],
  ["adds a secret to the environment", ["another cluster"]],
  ["overrides a variable of the environment", ["a variable of the environment is removed"]],
  ["renames the database", ["the database is no longer declared"]],
  ["writes the secret again", ["the application is no longer declared"]],
])("a person %s after the plan: nothing is lost, and the run says so", async (what, edits) => {
  const { code, lost } = await stage.play(scenario(edits, { between: [{ what, where }] }));
  expect({ code, lost }).toEqual({ code: 3, lost: [] });
});
