import { expect, test } from "vitest";
import { cronJob, shop } from "../../fixtures/manifests.ts";
import { useFixture } from "../fixture.ts";

const fixture = useFixture();

const defaults = `---
kind: Defaults
environment: shop/stagging
for: Job
cpu: 250
`;

const settings = `protect: ["shop/stagging/**", "shop/staging/**", "job:shop/staging/nightly"]
policies:
  - { name: quiet, when: "true", message: no, environments: [shop/prodution], kinds: [Database] }
environments:
  one:
    sources: [manifests]
    protect: [shop/one]
    vars: { TAG: "1", UNUSED: "2" }
`;

/** The idle statements, each as it is told. */
const told = [
  'protect "shop/stagging/**" (infrasync.config.yaml:1)',
  'policies[0].environments "shop/prodution" (infrasync.config.yaml:3)',
  'environments.one.protect "shop/one" (infrasync.config.yaml:7)',
  "environments.one.vars.UNUSED (infrasync.config.yaml:8)",
  "the Defaults document of shop/stagging for Job (manifests/shop.yaml:",
  'environments "shop/two" (manifests/infrasync.reconcile.yaml:1)',
];

/** The statements that notes tell, from any output. */
const idleIn = (text: string) =>
  text
    .replaceAll("\\", "")
    .split("\n")
    .flatMap((line) => /^[\s"-]*(?:Note: |message": ")?(.*) has no effect: /.exec(line)?.[1] ?? []);

async function write() {
  await fixture.write("manifests/shop.yaml", shop + cronJob("nightly", 'description: "${TAG}"\n') + defaults);
  await fixture.write("manifests/infrasync.reconcile.yaml", "environments: { shop/two: { prune: false } }\n");
  return ["one", "--config", await fixture.write("infrasync.config.yaml", settings)];
}

test.each(["text", "json"])("validate tells what restricts nothing that is described: %s", async (output) => {
  const ran = await fixture.run(["validate", ...(await write()), "--output", output]);
  expect(ran.code, ran.stderr).toBe(0);
  const found = idleIn(ran.stdout + ran.stderr);
  expect(found).toHaveLength(told.length);
  for (const statement of told) expect(found.join("\n")).toContain(statement);
  expect(await fixture.requests()).toEqual([]);
});

test.each(["text", "markdown", "json", "html"])(
  "a plan tells what restricts nothing described and nothing live, without a request: %s",
  async (output) => {
    const line = ["plan", ...(await write()), "--output", output];
    const { stdout } = await fixture.run(line);
    if (output !== "html") {
      const found = idleIn(stdout);
      expect(found).toHaveLength(told.length);
      for (const statement of told) expect(found.join("\n")).toContain(statement);
    } else expect(stdout.match(/has no effect: /g)).toHaveLength(told.length);
    const spent = (await fixture.takeRequests()).length;
    await fixture.write("infrasync.config.yaml", settings.replace("shop/stagging/**", "shop/staging/x"));
    await fixture.run(line);
    expect(await fixture.requests()).toHaveLength(spent);
  },
);

test("a destroy tells a mistyped protection before it deletes what it should have protected", async () => {
  const manifest = await fixture.write("shop.yaml", shop);
  await fixture.run(["apply", manifest, "--yes"]);
  await fixture.write("infrasync.config.yaml", 'protect: ["shop/stagign/**"]\n');
  const { stdout } = await fixture.run(["plan", manifest, "--destroy"]);
  expect(stdout).toContain(
    'protect "shop/stagign/**" (infrasync.config.yaml:1) has no effect: it matches nothing that is described or live; did you mean shop/staging?',
  );
});

test("a pattern that matches live resources only has an effect", async () => {
  const manifest = await fixture.write("shop.yaml", shop + cronJob("nightly"));
  await fixture.run(["apply", manifest, "--yes"]);
  await fixture.write("shop.yaml", shop);
  await fixture.write(
    "infrasync.config.yaml",
    'protect: ["job:shop/staging/nightly", "other/production/x"]\n',
  );
  expect((await fixture.run(["plan", manifest])).stdout).not.toContain('nightly" (');
  // Of another project, the plan knows that it does not exist.
  expect((await fixture.run(["plan", manifest])).stdout).toContain('protect "other/production/x"');
});

test("what has not been read may match: no note says the contrary", async () => {
  const other = shop.replaceAll("shop", "other");
  const both = await fixture.write("both.yaml", `${shop}---\n${other}`);
  await fixture.run(["apply", both, "--yes"]);
  const manifest = await fixture.write("one/shop.yaml", shop);
  await fixture.write("one/infrasync.config.yaml", 'protect: ["other/staging/**", "other/typo/**"]\n');
  expect((await fixture.run(["plan", manifest])).stdout).not.toContain("has no effect");
});

test.each([
  ['protect: ["shop/staging/** "]', "1:11", "has a blank at an end"],
  ["policies: [{ name: x, message: no, fields: [sorce.image.tag] }]", "1:45", "which is a field of no kind"],
  [
    "policies: [{ name: x, message: no, kinds: [Database], fields: [schedule] }]",
    "1:64",
    "which is a field of no Database",
  ],
])("a restriction that can match nothing is an error with its place: %s", async (text, place, message) => {
  const manifest = await fixture.write("shop.yaml", shop);
  await fixture.write("infrasync.config.yaml", `${text}\n`);
  const ran = await fixture.run(["validate", manifest]);
  expect(ran.code).toBe(3);
  expect(ran.stderr).toContain(`infrasync.config.yaml:${place}: error: `);
  expect(ran.stderr).toContain(message);
});

test("a window that never begins is an error with its place", async () => {
  await fixture.write("shop.yaml", shop);
  const window = '{ deny: "0 0 31 2 *", duration: 2h }';
  await fixture.write(
    "infrasync.reconcile.yaml",
    `environments:\n  shop/staging:\n    windows: [${window}]\n`,
  );
  const ran = await fixture.run(["validate", fixture.folder]);
  expect(ran).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('the window never begins: there is no time that "0 0 31 2 *" means'),
  });
});

test("a mistyped variable of the environment is an error, with the one that was meant", async () => {
  const manifest = await fixture.write("shop.yaml", shop);
  const ran = await fixture.run(["plan", manifest], { env: { INFRASYNC_MAX_DELETE: "1" } });
  expect(ran).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("did you mean INFRASYNC_MAX_DELETES?"),
  });
  expect(await fixture.requests()).toEqual([]);
});

test("a consent that is about nothing ends with exit code 3", async () => {
  const path = await fixture.write("manifests/shop.yaml", shop + cronJob("nightly"));
  const line = ["apply", path, "--yes", "--allow-replace"];
  const ran = await fixture.run([...line, "job:shop/staging/nigthly"]);
  expect(ran.code).toBe(3);
  expect(ran.stderr).toContain(
    'the consent "job:shop/staging/nigthly" is about nothing that is described or live',
  );
  expect(ran.stderr).toContain("perhaps job:shop/staging/nightly?");
  expect((await fixture.run([...line, "job:shop/staging/nightly"])).code).toBe(0);
});
