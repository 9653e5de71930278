import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isDeclaredBy, settingNames, variableOf } from "../../../cli/settings/names.ts";
import { knownVariables } from "../../../core/redaction/environment-variables.ts";
import { unknownVariables } from "../../../core/manifests/settings/unknown-variables.ts";
import { sourceFolders } from "../../../tools/source-folders.ts";

const root = join(import.meta.dirname, "../../..");
const places = [
  ...sourceFolders,
  "action.yml",
  "docs",
  "examples",
  "tools",
  "vitest.config.ts",
  "test/fixtures",
];

test("every variable that the programs, the pages and the templates name is known", async () => {
  const unknown = new Set<string>();
  for (const place of places) {
    for (const file of await filesIn(join(root, place))) {
      const text = await readFile(file, "utf8");
      for (const [variable] of text.matchAll(/\bINFRASYNC_[A-Z][A-Z0-9_]*[A-Z0-9]\b/g))
        if (unknownVariables({ [variable]: "" }).length > 0 && !bare.has(variable)) unknown.add(variable);
    }
  }
  expect([...unknown]).toEqual([]);
  expect(
    settingNames
      .filter((name) => isDeclaredBy(name, "variable"))
      .map(variableOf)
      .filter((name) => !knownVariables.includes(name)),
  ).toEqual([]);
});

/** Beginnings of variables, as pages name them. */
const bare = new Set(["INFRASYNC_VAR", "INFRASYNC_SOURCE_TOKEN", "INFRASYNC_TEST"]);

test.each([
  ["INFRASYNC_MAX_DELETE", "did you mean INFRASYNC_MAX_DELETES? otherwise unset it"],
  ["INFRASYNC_TOKENS", "did you mean INFRASYNC_TOKEN? otherwise unset it"],
  ["INFRASYNC_NOTHING_OF_THE_KIND", "correct its name, or unset it"],
])("%s is unknown", (variable, advice) => {
  expect(unknownVariables({ [variable]: "secret-value" })).toEqual([
    { code: "setting", message: `nothing reads the environment variable ${variable}`, advice },
  ]);
});

test.each([
  "INFRASYNC_VAR_TAG",
  "INFRASYNC_SOURCE_TOKEN_SHOP",
  "INFRASYNC_TEST_BUNDLE",
  "INFRASYNC_SERVICE_HOST",
  "INFRASYNC_SERVICE_PORT_HTTP",
  "INFRASYNC_PORT",
  "INFRASYNC_PORT_8081_TCP_ADDR",
  "INFRASYNC_PAGE_SERVICE_HOST",
  "OTHER_INFRASYNC_THING",
])("%s is none of the unknown ones", (variable) => {
  expect(unknownVariables({ [variable]: "x" })).toEqual([]);
});

async function filesIn(place: string): Promise<string[]> {
  const entries = await readdir(place, { withFileTypes: true, recursive: true }).catch(() => undefined);
  if (!entries) return [place];
  return entries
    .filter((entry) => entry.isFile() && /\.(?:ts|md|ya?ml|sh|json)$|Dockerfile/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}
