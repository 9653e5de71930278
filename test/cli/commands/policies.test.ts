import { beforeEach, expect, test } from "vitest";
import { useFixture, writesOf } from "../fixture.ts";
import { cronJob, shop } from "../../fixtures/manifests.ts";

const fixture = useFixture();
const apply = (...args: string[]) => fixture.run(["apply", fixture.folder, "--yes", ...args]);
const settings = (text: string) => fixture.write("infrasync.config.yaml", text);
const digestIn = (text: string) => /^Digest: ([0-9a-f]{64})$/m.exec(text)?.[1] ?? "";
const bounds = (effect: string) =>
  `policies: [{ built_in: cpu-bounds, with: { max: 400 }, effect: ${effect} }]\n`;

beforeEach(() => fixture.write("shop.yaml", shop + cronJob("a")));

test("a policy forbids an apply, also one by digest and one of a saved plan that is older than the policy", async () => {
  await fixture.run(["plan", fixture.folder, "--out", `${fixture.folder}/plan.json`]);
  await settings(bounds("deny"));
  const { stdout } = await fixture.run(["plan", fixture.folder]);
  const message = "job:shop/staging/a: policy cpu-bounds: the CPU is not between 50 and 400 millicores";
  expect(stdout).toContain(message);
  for (const args of [
    ["apply", fixture.folder, "--yes"],
    ["apply", fixture.folder, "--yes", "--expect", digestIn(stdout)],
    ["apply", "--plan", `${fixture.folder}/plan.json`, "--yes"],
  ])
    expect(await fixture.run(args)).toMatchObject({ code: 3, stderr: expect.stringContaining(message) });
  expect(writesOf(await fixture.requests())).toEqual([]);
});

test("a change that needs an approval is applied with the digest of its plan, and a warning hinders nobody", async () => {
  await settings(bounds("approve"));
  const refused = await apply();
  expect(refused).toMatchObject({
    code: 3,
    stderr: expect.stringContaining(
      "ask a reviewer to approve this plan, and apply it with --expect and its digest",
    ),
  });
  const { stdout } = await fixture.run(["plan", fixture.folder]);
  expect(await apply("--expect", "0".repeat(64))).toMatchObject({ code: 3 });
  expect(await apply("--expect", digestIn(stdout))).toMatchObject({ code: 0 });
  await settings(bounds("warn"));
  await fixture.write("shop.yaml", shop + cronJob("a").replace("cpu: 500", "cpu: 600"));
  expect(await apply()).toMatchObject({ code: 0, stdout: expect.stringContaining("policy cpu-bounds") });
});

test("a mistake in a condition is found before any request", async () => {
  await settings("policies:\n  - name: a\n    when: aftr.cpu > 1\n    message: m\n");
  for (const command of ["validate", "plan"]) {
    const { code, stderr } = await fixture.run([command, fixture.folder]);
    expect(code).toBe(3);
    expect(stderr).toContain("infrasync.config.yaml:3:11: error: policies[0].when is not a condition");
  }
  expect(await fixture.requests()).toEqual([]);
});
