import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { shop } from "../fixtures/manifests.ts";
import { useFixture } from "../cli/fixture.ts";
import { readPage } from "./markdown.ts";

const fixture = useFixture();

/** The block of the page that has this text, as YAML. */
function blockWith<Shape>(text: string): Shape {
  const block = readPage("docs/guides/recipes.md").blocks.find(({ lines }) =>
    lines.join("\n").includes(text),
  );
  return parse(block?.lines.join("\n") ?? "") as Shape;
}

test("the CronJob of the page fails when there is drift, and only then", async () => {
  const { spec } = blockWith<{
    spec: { jobTemplate: { spec: { template: { spec: { containers: { command: string[] }[] } } } } };
  }>("kind: CronJob");
  const [{ command: [program, ...args] = [] } = { command: [] }] =
    spec.jobTemplate.spec.template.spec.containers;
  expect(program).toBe("infrasync");
  await fixture.write("manifests/shop.yaml", shop);
  const here = args.map((argument) => argument.replace("/manifests", join(fixture.folder, "manifests")));
  expect(here).not.toEqual(args);
  expect((await fixture.run(here)).code).toBe(2);
  await fixture.run(["apply", join(fixture.folder, "manifests"), "--yes"]);
  expect((await fixture.run(here)).code).toBe(0);
});

test("the hook of pre-commit on the page refuses wrong manifests, and only those", async () => {
  const { repos } = blockWith<{ repos: { hooks: { entry: string; files: string }[] }[] }>(
    "pre-commit-config",
  );
  const [{ hooks: [hook] } = { hooks: [] }] = repos;
  const [program, ...args] = hook?.entry.split(" ") ?? [];
  expect(program).toBe("infrasync");
  expect("manifests/shop.yaml").toMatch(new RegExp(hook?.files ?? "$^"));
  const file = await fixture.write("manifests/shop.yaml", shop);
  const here = args.map((argument) => (argument === "manifests" ? file : argument));
  expect((await fixture.run(here)).code).toBe(0);
  await fixture.write("manifests/shop.yaml", `${shop}cpu: 1\n`);
  expect((await fixture.run(here)).code).toBe(3);
});
