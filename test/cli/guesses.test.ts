import { expect, test } from "vitest";
import { commandSuggestions, optionSuggestions } from "../../cli/suggestions.ts";
import { commands } from "../../cli/commands/index.ts";
import { infrasync } from "./captured.ts";

test("only the name of a deletion is led to destroy", () => {
  const led = commandSuggestions.filter(([, answer]) => answer.includes("infrasync destroy"));
  expect(led.flatMap(([words]) => words.split(" ")).toSorted()).toEqual([
    "delete",
    "down",
    "rm",
    "uninstall",
  ]);
});

test("no word has two answers", () => {
  const words = commandSuggestions.flatMap(([all]) => all.split(" "));
  expect(words).toEqual([...new Set(words)]);
});

test.each([
  ["convert", "infrasync init"],
  ["graph", "infrasync plan --output json"],
  ["mcp", "infrasync plan --output json"],
  ["test", "infrasync validate"],
  ["probe", "npm run test:conformance"],
  ["reconcile retry", "infrasync reconcile sync"],
  ["reconcile withdraw", "infrasync reconcile pause"],
  ["plan --output html", "--output markdown"],
])("%s leads to %s", async (line, answer) => {
  expect((await infrasync(line.split(" "))).stderr).toContain(answer);
});

test("every command that an answer names exists, with the flags that it gives", async () => {
  const answers = [
    ...commandSuggestions.map(([, answer]) => answer),
    ...optionSuggestions.map(({ advice }) => advice),
  ];
  const named = answers.flatMap((answer) => [...answer.matchAll(/infrasync ([a-z]+)((?: --[a-z-]+)*)/g)]);
  expect(named.length).toBeGreaterThan(30);
  for (const [, name = "", flags = ""] of named) {
    expect(commands.map((command) => command.name)).toContain(name);
    const { stdout } = await infrasync([name, "--help", "--all"]);
    for (const flag of flags.split(" ").filter(Boolean))
      expect({ name, has: stdout.includes(flag) && flag }).toEqual({ name, has: flag });
  }
});
