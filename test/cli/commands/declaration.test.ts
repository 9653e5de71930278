import { Command } from "commander";
import { expect, test } from "vitest";
import { declareInputs, type FlagEntry } from "../../../cli/commands/declaration.ts";

test.each<[string, FlagEntry]>([
  ["of flags that several commands share", "conection"],
  ["of settings", { settings: "conection" }],
])("a declaration with a wrong name %s is refused", (_what, entry) => {
  const declaration = { name: "plan", description: "", examples: [], flags: [entry] };
  expect(() => declareInputs(new Command(), declaration)).toThrow("there are no flags conection");
});
