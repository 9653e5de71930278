import { expect, test } from "vitest";
import { nearest } from "../../../core/model/schema/suggest.ts";
import { job, shop } from "../../fixtures/manifests.ts";
import { useFixture, writesOf } from "../fixture.ts";

const fixture = useFixture();

const pruning = shop.replace("mode: STAGING", "mode: STAGING\nmanage: { prune: true }");
const wholly = ["shop/staging", "environment:shop/staging", "*/staging", "shop", "shop/staging/**"];
const settings = {
  protect: (scope: string) => `protect: ["${scope}"]\n`,
  "environments.NAME.protect": (scope: string) =>
    `environments: { one: { sources: [other], protect: ["${scope}"] } }\n`,
};

test.each(
  Object.entries(settings).flatMap(([place, write]) => wholly.map((scope) => [place, scope, write] as const)),
)(
  "%s: %s keeps what is in it from a prune, a destroy and a deletion by address",
  async (_place, scope, write) => {
    const manifest = await fixture.write("manifests/shop.yaml", pruning + job("a") + job("b"));
    await fixture.run(["apply", manifest, "--yes"]);
    await fixture.write("infrasync.config.yaml", write(scope));
    await fixture.write("other/project.yaml", "kind: Project\nname: other\n");
    await fixture.write("manifests/shop.yaml", pruning + job("a"));
    await fixture.takeRequests();
    const config = ["--config", `${fixture.folder}/infrasync.config.yaml`];
    const pruned = await fixture.run(["apply", manifest, "--prune", "--yes", ...config]);
    expect(pruned.stdout + pruned.stderr).toContain("protected by");
    const destroyed = await fixture.run(["destroy", manifest, "--yes", ...config]);
    expect(destroyed.code).toBe(3);
    expect((await fixture.run(["destroy", "job:shop/staging/b", "--yes", ...config])).code).toBe(3);
    expect(writesOf(await fixture.takeRequests())).toEqual([]);
  },
);

test("a slip in a pattern that begins with a wildcard is told by validate, plan, apply and destroy, also where other projects have not been read", async () => {
  const other = shop.replaceAll("shop", "other").replaceAll("staging", "test");
  await fixture.run(["apply", await fixture.write("other.yaml", other), "--yes"]);
  const manifest = await fixture.write("shop.yaml", shop);
  await fixture.write(
    "infrasync.config.yaml",
    'protect: ["*/stagng"]\npolicies: [{ name: a, message: b, when: "true", actions: [delete], environments: ["*/stagign"] }]\n',
  );
  for (const command of [["validate"], ["plan"], ["apply", "--yes"], ["destroy", "--yes"]]) {
    const { stdout, stderr } = await fixture.run([...command, manifest]);
    expect(stdout + stderr, command[0]).toMatch(
      /protect "\*\/stagng" .* has no effect: .*; did you mean \*\/staging\?/,
    );
    expect(stdout + stderr, command[0]).toMatch(
      /environments "\*\/stagign" .* has no effect: .*; did you mean \*\/staging\?/,
    );
  }
});

test("no note asks whether what is written was meant", async () => {
  const manifest = await fixture.write("shop.yaml", shop + job("a"));
  await fixture.write("infrasync.config.yaml", 'protect: ["application:shop/*/a", "database:shop/**"]\n');
  const { stdout, stderr } = await fixture.run(["validate", manifest]);
  expect((stdout + stderr).match(/has no effect/g)).toHaveLength(2);
  expect(stdout + stderr).not.toContain("did you mean");
});

test.each([
  [["deploy", "shop/prod"], "did you mean shop/production?"],
  [["status", "shop/produktion"], "did you mean shop/production?"],
  [["plan", "-t", "shop/prod"], "did you mean shop/production/**?"],
  [["get", "shop/prod"], "did you mean production?"],
  [["deploy", "./shop/production"], "write shop/production"],
  [["plan", "-t", "./shop/production"], "write shop/production"],
])("%j is led to what is meant", async (words, advice) => {
  const manifest = await fixture.write("shop.yaml", shop.replaceAll("staging", "production"));
  await fixture.run(["apply", manifest, "--yes"]);
  const { code, stderr } = await fixture.run(words[0] === "plan" ? [...words, manifest] : words);
  expect(stderr).toContain(advice);
  expect(code).toBe(3);
});

test("a name that is cut short leads to the only one that begins with it", () => {
  expect(nearest("prod", ["production", "staging"])).toBe("production");
  expect(nearest("prod", ["production-eu", "production-us"])).toBeUndefined();
  expect(nearest("de", ["description"])).toBeUndefined();
});

test("nobody is advised to skip the confirmation of what is protected", async () => {
  const manifest = await fixture.write("shop.yaml", shop);
  await fixture.run(["apply", manifest, "--yes"]);
  await fixture.write("infrasync.config.yaml", "protect: [shop]\n");
  const { code, stderr } = await fixture.run(["destroy", manifest]);
  expect(code).toBe(3);
  expect(stderr).toContain("is protected by");
  expect(stderr).not.toContain("--yes");
});
