import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { toDesired, loadManifests } from "../../core/manifest/index.ts";
import { Harness } from "../fixtures/harness.ts";

const folder = path.resolve(import.meta.dirname, "../../examples/gitops");
const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".yaml") && name !== "infrasync.config.yaml")
  .map((name) => path.join(folder, name));

test("validate finds no problem in the example", async () => {
  const { documents, problems, files: read } = await loadManifests([folder]);
  expect(problems).toEqual([]);
  expect(read).toBe(files.length);
  expect(toDesired(documents).problems).toEqual([]);
  expect(new Set(documents.map(({ kind }) => kind.name))).toEqual(new Set(["Project", "Environment", "Application", "Job"]));
});

test.each(files.map((file) => [path.relative(folder, file), file] as const))("%s names its schema for editors", (_name, file) => {
  const [first = ""] = readFileSync(file, "utf8").split("\n");
  const [, schema = ""] = /^# yaml-language-server: \$schema=(\S+)$/.exec(first) ?? [];
  expect(existsSync(path.resolve(path.dirname(file), schema))).toBe(true);
  expect(path.basename(schema)).toBe("manifest.schema.json");
});

test("the example can be applied unchanged, and the next plan is empty", async () => {
  await using harness = await Harness.start();
  const text = files.map((file) => readFileSync(file, "utf8")).join("\n---\n");
  const plan = await harness.reconcile(text);
  expect(plan.actions.map(({ type }) => type).toSorted()).toEqual([...Array<string>(2).fill("clone"), ...Array<string>(7).fill("create")]);
  const again = await harness.plan(text);
  expect(again.actions.filter(({ type }) => type !== "none")).toEqual([]);
});
