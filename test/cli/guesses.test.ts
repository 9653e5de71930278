import { expect, test } from "vitest";
import { commandHabits, optionHabits } from "../../cli/habits.ts";
import { commands } from "../../cli/commands/index.ts";
import { infrasync } from "./captured.ts";

test("only the name of a deletion is led to destroy", () => {
  const led = Object.keys(commandHabits).filter((name) => commandHabits[name]?.includes("infrasync destroy"));
  expect(led.toSorted()).toEqual(["delete", "down", "rm", "uninstall"]);
});

test("every command that an answer names exists, with the flags that it gives", async () => {
  const answers = [...Object.values(commandHabits), ...optionHabits.map(([, advice]) => advice)];
  const named = answers.flatMap((answer) => [...answer.matchAll(/infrasync ([a-z]+)((?: --[a-z-]+)*)/g)]);
  expect(named.length).toBeGreaterThan(30);
  for (const [, name = "", flags = ""] of named) {
    expect(commands.map((command) => command.name)).toContain(name);
    const { stdout } = await infrasync([name, "--help"]);
    for (const flag of flags.split(" ").filter(Boolean))
      expect({ name, has: stdout.includes(flag) && flag }).toEqual({ name, has: flag });
  }
});

test.each(["cluster", "registry", "repository", "token", "group"])(
  "get %s leads to the list",
  async (word) => {
    const { code, stderr } = await infrasync(["get", word], {
      env: { INFRASYNC_TOKEN: "x".repeat(20), INFRASYNC_BASE_URL: "http://127.0.0.1:9" },
    });
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: expect.stringMatching(
        /infrasync get (?:clusters|registries|repositories|tokens|groups) shows them all/,
      ),
    });
  },
);

test.each([
  ["jobs", "infrasync list 'job:**' shows several; a project of that name is project:jobs"],
  ["job", "infrasync list 'job:**' shows several"],
  ["databases", "infrasync list 'database:**' shows several"],
  ["pods", "infrasync list shows several"],
  ["all", "infrasync list shows several"],
])("get %s leads to list", async (word, advice) => {
  const { code, stderr } = await infrasync(["get", word]);
  expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining(advice) });
});
