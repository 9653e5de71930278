import { expect, test } from "vitest";
import { job, shop } from "../../fixtures/manifests.ts";
import { useFixture } from "../fixture.ts";

const fixture = useFixture();
const canary = "c4nary-hunter2";
const inSecrets = (lines: string) => shop + job("nightly", `secrets:\n${lines}`);

// Mistakes of YAML beside a secret: the words of the parser and the line may hold it.
test.each([
  ["a key twice", inSecrets(`  A: { value: x }\n  A: ${canary}\n`)],
  ["an alias", inSecrets(`  A: *${canary}\n`)],
  ["a tag", inSecrets(`  A: !${canary}\n`)],
  ["a tag with a text", inSecrets(`  A: !${canary} ${canary}\n`)],
  ["an anchor twice", inSecrets(`  A: &a &${canary} x\n`)],
  ["an alias with more", inSecrets(`  A: *${canary} y\n`)],
  ["a directive", inSecrets(`  A: %${canary}\n`)],
  ["a reserved character", inSecrets(`  A: @${canary}\n`)],
  ["a backtick", inSecrets(`  A: \`${canary}\n`)],
  ["open quotes", inSecrets(`  A: "${canary}\n`)],
  ["an escape", inSecrets(`  A: "\\q${canary}"\n`)],
  ["a colon in a text", inSecrets(`  A: x: ${canary}\n`)],
  ["a block in a flow", inSecrets(`  A: { value: ${canary}: - x }\n`)],
  ["a second line", inSecrets(`  A:\n    ${canary}\n   b: ${canary}\n`)],
  ["a block of text", inSecrets(`  A: |\n    x\n   ${canary}\n`)],
  ["a flow of several lines", inSecrets(`  A: {\n    value: *${canary} }\n`)],
  ["a tab", inSecrets(`\tA: ${canary}\n`)],
  ["a flow mapping", shop + job("nightly", `secrets: { A: *${canary} }`)],
  ["a list in place of entries", inSecrets(`  - ${canary}\n`)],
  ["a text in place of an entry", inSecrets(`  A: ${canary}\n`)],
])("%s below secrets is told without the value", async (_what, text) => {
  const file = await fixture.write("a.yaml", text);
  for (const output of [[], ["--output", "json"]]) {
    const { code, stdout, stderr } = await fixture.run(["validate", file, ...output]);
    expect(code).toBe(3);
    expect(stdout + stderr).not.toContain(canary);
    expect(stdout + stderr).not.toContain("hunter2");
  }
});

test.each([
  `PW: ${canary}\nPW: ${canary}2\n`,
  `PW: *${canary}\n`,
  `PW: !${canary} x\n`,
  `PW: "${canary}\n`,
  `PW: [${canary}]\n`,
  `PW: @${canary}\n`,
  `P-W: ${canary}\n`,
  `${canary}\n`,
  `PW=${canary}\n`,
  `PW=${canary}: x\n`,
  `- ${canary}\n`,
  `PW: x: ${canary}\n`,
])("no mistake in a variable file shows a value: %j", async (values) => {
  const file = await fixture.write("a.yaml", shop);
  const variables = await fixture.write("values.yaml", values);
  const { code, stdout, stderr } = await fixture.run(["validate", file, "--var-file", variables]);
  expect(code).toBe(3);
  expect(stdout + stderr).not.toContain(canary);
  expect(stdout + stderr).toMatch(/values\.yaml:\d/);
});

test.each([
  ["a text for a number", "cpu: ${PW}", "hunter2"],
  ["a part of a text", "schedule: { cronjob: { scheduled_at: 'x ${PW}' } }", canary],
  ["a choice", "auto_deploy: ${PW}", canary],
])("a mistake about %s that a variable has filled in shows the variable", async (_what, field, value) => {
  const text = (shop + job("nightly")).replace(/schedule:.*\n/, "") + field;
  const file = await fixture.write("a.yaml", text);
  const { code, stdout, stderr } = await fixture.run(["validate", file], {
    env: { ...fixture.env, INFRASYNC_VAR_PW: value },
  });
  expect(code).toBe(3);
  expect(stdout + stderr).not.toContain(value);
  expect(stderr).toContain("${PW}");
});

test.each([
  `validate FILE --var ${canary}`,
  `validate FILE --var =${canary}`,
  `validate FILE --var ${canary}==`,
  `plan FILE --set ${canary}`,
  `plan FILE --set ${canary}==`,
  `plan FILE --set job:${canary}:cpu=5`,
  `plan FILE --set job:shop/staging/nightly:cpu=*${canary}`,
  `plan FILE --set job:shop/staging/nightly:secrets.A=${canary}`,
  `plan FILE --set job:shop/staging/nightly:secrets.A.from_sops=${canary}`,
  `clone job shop/staging/nightly --to shop/qa --dry-run --set ${canary}`,
  `clone job shop/staging/nightly --to shop/qa --dry-run --set secrets.A=${canary}`,
])("the mistake of %j shows nothing of the assignment", async (line) => {
  const file = await fixture.write("a.yaml", shop + job("nightly"));
  for (const output of [[], ["--output", "json"]]) {
    const args = line.split(" ").map((word) => (word === "FILE" ? file : word));
    const { code, stdout, stderr } = await fixture.run([...args, ...output]);
    expect(code).toBe(3);
    expect(stdout + stderr).not.toContain("hunter2");
  }
});
