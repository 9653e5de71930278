import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { mistakeInName } from "../../tools/lint/field-words.ts";

const checkout = path.join(import.meta.dirname, "../..");

it.each([
  ["RolloutTold", "reported"],
  ["NewsItem", "event"],
  ["left-out-news", "event"],
  ["StandingState", "status"],
  ["PreviewMark", "label"],
  ["ForgeStory", "scenario"],
  ["ProgramTerms", "options or words"],
  ["CommitBounds", "limits"],
  ["StatedPart", "declared"],
  ["ServiceDoor", "endpoint"],
  ["field-fight", "drift loop"],
  ["Written", 'participle "written"'],
  ["PlanNeeded", 'participle "needed"'],
  ["Changing", 'participle "changing"'],
  ["carried-done", 'participle "done"'],
])("the name %s is refused", (name, reason) => {
  expect(mistakeInName(name)).toContain(reason);
});

it.each(["SavedPlan", "PlannedChange", "Setting", "routing-table", "ApiError", "naming", "DeploymentRule"])(
  "the name %s is allowed",
  (name) => {
    expect(mistakeInName(name)).toBeUndefined();
  },
);

/** The linter's answer about a type in the file of that name, in a folder that the rule covers. */
function lint(folder: string, file: string, text: string): string {
  writeFileSync(path.join(folder, "core", file), text);
  const { stdout } = spawnSync(
    process.execPath,
    [
      path.join(checkout, "node_modules/oxlint/bin/oxlint"),
      "-c",
      path.join(folder, ".oxlintrc.json"),
      folder,
    ],
    { encoding: "utf8" },
  );
  return stdout;
}

it("the linter refuses such a type, such a file and such a text, a request around the proxies, and no other", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "field-words-"));
  try {
    mkdirSync(path.join(folder, "core"));
    const { jsPlugins, overrides } = JSON.parse(
      readFileSync(path.join(checkout, ".oxlintrc.json"), "utf8"),
    ) as { jsPlugins: string[]; overrides: unknown };
    const plugins = jsPlugins.map((plugin) => path.join(checkout, plugin));
    writeFileSync(path.join(folder, ".oxlintrc.json"), JSON.stringify({ jsPlugins: plugins, overrides }));
    expect(lint(folder, "plan.ts", "export type Plan = string;")).not.toContain("field-words");
    expect(lint(folder, "plan.ts", "export type Told = string;")).toContain('the field says "reported"');
    for (const text of [
      "export const told = 1;",
      "export function f(told: string) { return told; }",
      "export interface Plan { told: string }",
      "export class Plan { #told = 1; get() { return this.#told; } }",
    ])
      expect(lint(folder, "plan.ts", text), text).toContain('the field says "reported"');
    for (const text of [
      'export const message = "the services are in step";',
      "export const message = (name: string) => `${name} is in no document`;",
      "// The plan goes on.\nexport const message = 1;",
    ])
      expect(lint(folder, "plan.ts", text), text).toContain("in a text: the field says");
    expect(lint(folder, "plan.ts", 'export const type = "news";')).not.toContain("field-words");
    expect(lint(folder, "left.ts", "export type Plan = string;")).toContain('participle "left"');
    for (const text of [
      'export const answer = await fetch("https://example.com");',
      'export { default } from "got";',
      'export { request } from "node:http";',
      'import { get } from "node:https";\nget("https://example.com");',
    ])
      expect(lint(folder, "plan.ts", text)).toContain("sendOnce");
    expect(lint(folder, "plan.ts", 'export { createServer } from "node:http";')).not.toContain("sendOnce");
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  }
});
