import { join } from "node:path";
import { expect, test } from "vitest";
import { cronJob, shop } from "../../fixtures/manifests.ts";
import { documentOf } from "../captured.ts";
import { useFixture, writesOf } from "../fixture.ts";

const fixture = useFixture();
const field = "job:shop/staging/nightly:source.image.tag";

test("plan and apply change the field, and say that the command line has set it", async () => {
  await fixture.write("shop.yaml", shop + cronJob("nightly"));
  await fixture.run(["apply", fixture.folder, "--yes"]);
  const set = ["--set", `${field}=1.5.0`, "--set", "job:shop/staging/nightly:cpu=750"];
  const planned = await fixture.run(["plan", fixture.folder, ...set]);
  expect(planned.stdout).toContain(
    "      source.image.tag  1.4.2 -> 1.5.0\n      cpu               500m -> 750m\n",
  );
  expect(planned.stdout).toContain(
    `Set with --set, not by a manifest:\n  ${field}\n  job:shop/staging/nightly:cpu\n`,
  );
  expect(documentOf(await fixture.run(["plan", fixture.folder, ...set, "-o", "json"]))["set"]).toEqual([
    field,
    "job:shop/staging/nightly:cpu",
  ]);
  const markdown = await fixture.run(["plan", fixture.folder, ...set, "-o", "markdown"]);
  expect(markdown.stdout).toContain(`**Set with --set, not by a manifest:**\n\n- \`${field}\`\n`);
  const applied = await fixture.run(["apply", fixture.folder, ...set, "--yes"]);
  expect(applied).toMatchObject({ code: 0, stdout: expect.stringContaining("Set with --set") });
  const again = await fixture.run(["plan", fixture.folder, ...set]);
  expect(again.stdout).toContain("No changes");
  // The next apply without the flag goes back to the manifests.
  const without = await fixture.run(["plan", fixture.folder]);
  expect(without.stdout).toContain("source.image.tag  1.5.0 -> 1.4.2");
});

test.each([
  ["42", '"42"'],
  ["1.10", '"1.10"'],
  ["0x1F", '"0x1F"'],
  ["true", '"true"'],
  ['"42"', '"42"'],
])("a value that only YAML takes for a number is a text where the field is one: %s", async (value, shown) => {
  await fixture.write("shop.yaml", shop + cronJob("nightly"));
  const { code, stdout } = await fixture.run(["plan", fixture.folder, "--set", `${field}=${value}`]);
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringContaining(`source.image.tag               ${shown}\n`),
  });
});

test("a clone takes a build number as the tag of its image", async () => {
  await fixture.write("shop.yaml", shop + cronJob("nightly"));
  await fixture.run(["apply", fixture.folder, "--yes"]);
  const clone = ["clone", "job", "shop/staging/nightly", "--to", "shop/staging", "--name", "copy"];
  const { code, stdout } = await fixture.run([...clone, "--set", "source.image.tag=42", "--yes"]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('tag: "42"') });
});

test("a saved plan has the value; apply --plan takes no --set", async () => {
  const file = join(fixture.folder, "plan.json");
  await fixture.write("manifests/shop.yaml", shop + cronJob("nightly"));
  await fixture.run(["plan", join(fixture.folder, "manifests"), "--set", `${field}=1.5.0`, "--out", file]);
  expect(await fixture.run(["apply", "--plan", file, "--yes", "--set", `${field}=2`])).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("it cannot be combined with --set"),
  });
  expect(await fixture.run(["apply", "--plan", file, "--yes"])).toMatchObject({ code: 0 });
  const { stdout } = await fixture.run(["get", "shop/staging/nightly"]);
  expect(stdout).toContain("tag: 1.5.0");
});

test.each([
  [
    "job:shop/staging/nightly:cpu=lots",
    'command line:1:7: error: cpu must be a whole number, not the text "lots"',
  ],
  [
    "job:shop/staging/nightly:cpu=1.5",
    "command line:1:7: error: cpu must be a whole number, not the number 1.5",
  ],
  ["job:shop/staging/nightly:colour=red", 'command line:1:7: error: a Job has no field "colour"'],
  [
    "job:shop/staging/nightyl:cpu=1",
    "command line:1:7: error: --set: no document declares job:shop/staging/nightyl",
  ],
  ["nightly.cpu=1", 'command line:1:7: error: --set "…" does not name a field of a resource'],
  ["job:shop/staging/nightly:cpu", "does not name a field of a resource"],
  ["job:shop/staging/nightly:=1", "does not name a field of a resource"],
  [
    "job:shop/staging/nightly:source.image.tag=[",
    'error: --set "job:shop/staging/nightly:source.image.tag": ',
  ],
  ["job:shop/staging/nightly:name=other", "command line:1:7: error: "],
])("a wrong --set sends nothing: %s", async (assignment, message) => {
  await fixture.write("shop.yaml", shop + cronJob("nightly"));
  const { code, stderr } = await fixture.run(["apply", fixture.folder, "--yes", "--set", assignment]);
  expect(stderr).toContain(message);
  expect({ code, requests: writesOf(await fixture.takeRequests()) }).toEqual({ code: 3, requests: [] });
});

test("a message about a wrong --set shows no value of it", async () => {
  await fixture.write("shop.yaml", shop + cronJob("nightly"));
  const { stderr } = await fixture.run([
    "plan",
    fixture.folder,
    "--set",
    "job:shop/staging/nightly:colour=canary-value",
  ]);
  expect(stderr).not.toContain("canary-value");
});
