import { expect, test } from "vitest";
import { cronJob, shop } from "../../fixtures/manifests.ts";
import { useFixture, writesOf } from "../fixture.ts";

const fixture = useFixture();
const address = "job:shop/staging/nightly";

test.each([
  ["--set", `${address}:memory=`, `--set "${address}:memory": a value is missing`],
  ["--set", `${address}:memory= `, `--set "${address}:memory": a value is missing`],
  ["--set", `${address}:memory=# none`, `--set "${address}:memory": a value is missing`],
  ["--set", `${address}:variables.VERSION=`, `--set "${address}:variables.VERSION": a value is missing`],
  ["--set", `${address}:variables={VERSION: }`, `--set "${address}:variables": … has no value`],
  ["--set", `${address}:variables={VERSION}`, `--set "${address}:variables": … has no value`],
  ["--var", "TAG=", "--var: the variable TAG has no value"],
  ["--target", "", "--target has no value"],
  ["--confirm", "", "--confirm has no value"],
])("plan refuses %s %j: a missing value removes and resets nothing", async (flag, value, message) => {
  await fixture.write("shop.yaml", shop + cronJob("nightly"));
  const ran = await fixture.run(["plan", fixture.folder, flag, value]);
  expect(ran).toMatchObject({ code: 3, stdout: "", stderr: expect.stringContaining(message) });
  expect(ran.stderr).toContain("perhaps a variable of the shell is not set");
  expect(await fixture.requests()).toEqual([]);
});

test("an apply with null resets the field, and one without a value changes nothing", async () => {
  await fixture.write("shop.yaml", shop + cronJob("nightly"));
  await fixture.run(["apply", fixture.folder, "--yes", "--set", `${address}:memory=2048`]);
  await fixture.takeRequests();
  const missing = await fixture.run(["apply", fixture.folder, "--yes", "--set", `${address}:memory=`]);
  expect(missing.code).toBe(3);
  expect(writesOf(await fixture.requests())).toEqual([]);
  const reset = await fixture.run(["apply", fixture.folder, "--yes", "--set", `${address}:memory=null`]);
  expect(reset).toMatchObject({ code: 0, stdout: expect.stringContaining("memory  2 GB -> 512 MB") });
});

test.each([
  ["clone", ["job", "shop/staging/nightly", "--to", "shop/staging", "--name", "b", "--set", "memory="]],
  ["clone", ["job", "shop/staging/nightly", "--to", "shop/staging", "--name", ""]],
  ["deploy", ["shop/staging", "--image-tag", ""]],
  ["deploy", [""]],
  ["list", [""]],
  ["get", [""]],
  ["destroy", ["", "--yes"]],
  ["rollback", ["job:shop/staging/nightly", "--to", ""]],
])("%s %j is refused before a request", async (command, args) => {
  const ran = await fixture.run([command, ...args]);
  expect(ran).toMatchObject({ code: 3, stderr: expect.stringMatching(/has no value|a value is missing/) });
  expect(await fixture.requests()).toEqual([]);
});

test.each([
  ["a variable of the environment", { INFRASYNC_VAR_TAG: "" }, undefined],
  ["a line of a variable file", {}, "TAG:\n"],
])('%s without a value is an error, and "" is the empty text', async (_title, env, file) => {
  await fixture.write("shop.yaml", shop + cronJob("nightly", 'description: "${TAG}"\n'));
  const values = await fixture.write("values.txt", file ?? "OTHER: 1\n");
  const render = (given: Record<string, string>) =>
    fixture.run(["render", fixture.folder, "--var-file", values], { env: given });
  expect(await render(env)).toMatchObject({ code: 3, stderr: expect.stringContaining("TAG") });
  await fixture.write("values.txt", file === undefined ? "OTHER: 1\n" : 'TAG: ""\n');
  const empty = await render(file === undefined ? { INFRASYNC_VAR_TAG: '""' } : {});
  expect(empty).toMatchObject({ code: 0, stdout: expect.stringContaining('description: ""') });
});
