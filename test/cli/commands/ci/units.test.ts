import { readFile } from "node:fs/promises";
import { Command } from "commander";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { stepCommand, tokenInputs } from "../../../../cli/commands/ci/inputs.ts";
import { digestIn, isStale, staleText, withDigest } from "../../../../cli/commands/ci/status-text.ts";
import { ci } from "../../../../cli/commands/ci.ts";
import { settingNames } from "../../../../cli/settings/names.ts";

const digest = "0123456789abcdef".repeat(4);

function declared(): Command {
  const line = new Command();
  ci.declare(line);
  return line;
}

test("inputs are flags of the same names; tokens go into variables", () => {
  const command = stepCommand(declared(), {
    INPUT_MODE: "apply",
    INPUT_PATH: " manifests\nmore manifests\n\n",
    "INPUT_MAX-DELETES": "-3",
    INPUT_TARGET: "job:a/b/*\nshop/**",
    INPUT_PRUNE: "true",
    INPUT_STRICT: "false",
    INPUT_ORGANIZATION: "",
    INPUT_TOKEN: "api-canary",
    "INPUT_FORGE-TOKEN": "forge-canary",
    INPUT_UNKNOWN: "x",
  });
  expect(command).toEqual({
    args: [
      "apply",
      "--target=job:a/b/*",
      "--target=shop/**",
      "--prune",
      "--max-deletes=-3",
      "--",
      "manifests",
      "more manifests",
    ],
    env: { INFRASYNC_TOKEN: "api-canary", INFRASYNC_FORGE_TOKEN: "forge-canary" },
  });
  expect(stepCommand(declared(), {}).args).toEqual(["plan", "--"]);
});

test("the action has an input for each setting and each flag, and starts its bundle with Node 24", async () => {
  const action = parse(await readFile("action.yml", "utf8")) as {
    inputs: Record<string, { description: string }>;
    runs: object;
  };
  const flags = declared().options.map(({ long }) => long?.slice(2) ?? "");
  expect(Object.keys(action.inputs).toSorted()).toEqual(
    ["mode", "path", ...Object.keys(tokenInputs), ...flags].toSorted(),
  );
  for (const name of settingNames) expect(Object.keys(action.inputs)).toContain(name.replaceAll("_", "-"));
  expect(action.runs).toEqual({ using: "node24", main: "action/index.js" });
});

test("a status keeps the whole digest, however long its sentence is", () => {
  for (const length of [0, 10, 66, 67, 68, 500]) {
    const text = withDigest("x".repeat(length), digest, 140);
    expect(text.length).toBeLessThanOrEqual(140);
    expect(digestIn(text)).toBe(digest);
    expect(isStale(text)).toBe(false);
  }
  const stale = staleText("the base or live resources have changed", digest, 140);
  expect(stale).toContain("plan again.");
  expect([digestIn(stale), isStale(stale)]).toEqual([digest, true]);
  expect(digestIn(`no digest: ${digest}0`)).toBeUndefined();
});
