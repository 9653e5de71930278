import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { toDesired, loadManifests } from "../../core/manifests/manifest/index.ts";
import { SecretReader } from "../../core/secrets/index.ts";
import { Harness, summary } from "../fixtures/harness.ts";

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

/** The manifests of a folder of examples, as one text. */
function textOf(example: string): string {
  const place = path.resolve(folder, "..", example);
  return readdirSync(place, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".yaml") && name !== "infrasync.config.yaml")
    .map((name) => readFileSync(path.join(place, name), "utf8"))
    .join("\n---\n");
}

test("all examples can be applied unchanged to one organization, and the next plan is empty", async () => {
  await using harness = await Harness.start();
  const plan = await harness.reconcile(textOf("gitops"));
  expect(plan.actions.map(({ type }) => type).toSorted()).toEqual([...Array<string>(2).fill("clone"), ...Array<string>(7).fill("create")]);
  const shop = await harness.plan(textOf("shop/staging"));
  const environment = { SHOP_DB_PASSWORD: "a-password-of-the-test", SHOP_PAYMENT_KEY: "a-key-of-the-test" };
  const report = await harness.apply(shop, { secrets: new SecretReader({ environment, allowCommands: false }) });
  expect(report.outcomes.filter(({ status }) => status !== "done")).toEqual([]);
  expect(shop.actions.filter(({ type }) => type !== "create")).toEqual([]);
  // The text of a file beside the manifests is not in this text: `npm run demo` plans the shop again.
  expect(summary(await harness.plan(textOf("gitops")))).toEqual([]);
});
