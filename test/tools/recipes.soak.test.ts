// Each other recipe of CONTRIBUTING with a small example, all in one copy of the checkout: after its first step, the compiler, tests and
// generators name what is missing; after all steps, nothing.
import path from "node:path";
import { beforeAll, expect, test } from "vitest";
import { CheckoutCopy } from "../fixtures/checkout-copy.ts";
import { readPage } from "../docs/markdown.ts";
import { recipes } from "./recipes.ts";

const all = Object.values(recipes);
const tests = all.flatMap(({ missing }) => missing.filter((file) => file.endsWith(".test.ts")));
const page = readPage("CONTRIBUTING.md").lines.join("\n");
let before: string;
let afterwards: string;

beforeAll(async () => {
  await using copy = await CheckoutCopy.make();
  // These tests start no bundle.
  for (const written of ['globalSetup: "test/global-setup.ts",', ', globalSetup: "test/global-setup.ts"'])
    await copy.remove("vitest.config.ts", written);
  const complaints = async (...flags: readonly string[]) =>
    [
      await copy.complaints("tools/checks.ts"),
      await copy.complaints("node_modules/typescript7/bin/tsc"),
      await copy.complaints("tools/generate.ts", "--check"),
      await copy.complaints(
        "node_modules/vitest/vitest.mjs",
        "run",
        "--project",
        "main",
        "--project",
        "long",
        "--project",
        "conformance",
        "--reporter",
        "dot",
        ...flags,
        ...tests,
      ),
    ].join("");
  await copy.edit(all.flatMap(({ first }) => first));
  before = await complaints();
  await copy.edit(all.flatMap(({ rest }) => rest));
  await copy.complaints("tools/generate.ts");
  afterwards = await complaints("--update");
}, 1_800_000);

test.each(Object.entries(recipes))(
  "%s: the checks name what the first step leaves out, and so does the recipe",
  (heading, { missing, rest }) => {
    expect(missing.filter((file) => !before.includes(file))).toEqual([]);
    const [, section = ""] = page.split(`\n## ${heading}\n`);
    const [recipe = ""] = section.split("\n## ");
    const unnamed = (files: readonly string[]) =>
      files.filter((file) => !recipe.includes(path.basename(file)));
    const isGenerated = (file: string) => /^(?:docs|schemas)\//.test(file);
    expect(unnamed(missing.filter((file) => !isGenerated(file)))).toEqual([]);
    expect(missing.some(isGenerated) && !recipe.includes("npm run generate")).toBe(false);
    const touched = unnamed(rest.map(([file]) => file));
    expect(touched.filter((file) => !recipe.includes(`\`${path.dirname(file)}/\``))).toEqual([]);
  },
);

test("after all steps, the compiler, the tests and the generators are content", () => {
  expect(afterwards).toBe("");
});
