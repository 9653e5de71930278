import { expect, test } from "vitest";
import { cronJob, shop } from "../../fixtures/manifests.ts";
import { GitRepository } from "../../fixtures/git-repository.ts";
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
    var_files: [vars.yaml]
`;

const policy = `environments:
  shop/two: { prune: false }
  shop/staging:
    suspend: { until: 2020-01-01T00:00:00Z, reason: frozen }
    promote: { after: shop/stagign, healthy_for: 10m }
`;

/** The idle statements, each as it is told. */
const reported = [
  'protect "shop/stagging/**" (infrasync.config.yaml:1)',
  'policies[0].environments "shop/prodution" (infrasync.config.yaml:3)',
  'environments.one.protect "shop/one" (infrasync.config.yaml:7)',
  "environments.one.vars.UNUSED (infrasync.config.yaml:8)",
  "the Defaults document of shop/stagging for Job (manifests/shop.yaml:",
  'environments "shop/two" (manifests/infrasync.reconcile.yaml:2)',
  'suspend.until of "shop/staging" (manifests/infrasync.reconcile.yaml:4)',
  'promote.after "shop/stagign" (manifests/infrasync.reconcile.yaml:5)',
  "the file of variables ",
];

/** The statements that notes tell, from any output. */
const idleIn = (text: string) =>
  text
    .replaceAll("\\", "")
    .split("\n")
    .flatMap(
      (line) =>
        /^[\s"-]*(?:Note: |message": ")?(.*) (?:has no effect|has values without effect|prevents every change in \S+): /.exec(
          line,
        )?.[1] ?? [],
    );

async function write() {
  await fixture.write("manifests/shop.yaml", shop + cronJob("nightly", 'description: "${TAG}"\n') + defaults);
  await fixture.write("manifests/infrasync.reconcile.yaml", policy);
  await fixture.write("vars.yaml", "TAG: 2\nOTHER: 3\n");
  return ["one", "--config", await fixture.write("infrasync.config.yaml", settings)];
}

test.each(["text", "json"])("validate tells what restricts nothing that is declared: %s", async (output) => {
  const ran = await fixture.run(["validate", ...(await write()), "--output", output]);
  expect(ran.code, ran.stderr).toBe(0);
  const found = idleIn(ran.stdout + ran.stderr);
  expect(found).toHaveLength(reported.length);
  for (const statement of reported) expect(found.join("\n")).toContain(statement);
  expect(await fixture.requests()).toEqual([]);
});

test.each(["text", "markdown", "json"])(
  "a plan tells what restricts nothing declared and nothing live, without a request: %s",
  async (output) => {
    const line = ["plan", ...(await write()), "--output", output];
    const { stdout } = await fixture.run(line);
    const found = idleIn(stdout);
    expect(found).toHaveLength(reported.length);
    for (const statement of reported) expect(found.join("\n")).toContain(statement);
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
    'protect "shop/stagign/**" (infrasync.config.yaml:1) has no effect: it matches no declared or live resource; did you mean shop/staging?',
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
  ['protect: ["shop/staging/** "]', "1:11", "begins or ends with a blank"],
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
    stderr: expect.stringContaining('"0 0 31 2 *" never begins: no date matches it'),
  });
});

test.each([
  [".infrasync.reconcile.yaml", "infrasync.reconcile.yaml"],
  ["infrasync.reconciler.yaml", "infrasync.reconcile.yaml"],
  [".infrasync.yaml", "infrasync.config.yaml"],
])("a file whose name was meant to be another one is an error: %s", async (name, meant) => {
  await fixture.write("shop.yaml", shop);
  await fixture.write(name, "on_commit: report\n");
  const ran = await fixture.run(["validate", fixture.folder]);
  expect(ran).toMatchObject({ code: 3, stderr: expect.stringContaining(`rename it to ${meant}`) });
});

test("reconcile --once tells what restricts nothing, in the commit and in the files of the operator", async () => {
  using repository = new GitRepository();
  const [route, access] = [
    await fixture.write("notify.yaml", "routes: [{ url_file: url, environments: [shop/a] }]\n"),
    await fixture.write(
      "access.yaml",
      "limits: { environments: [shop/**, other/b] }\nroles: [{ role: see, group: all, environments: [shop/c] }]\n",
    ),
  ];
  repository.push({
    "infra/one/shop.yaml": shop,
    "infra/vars.yaml": "OTHER: 3\n",
    "infra/infrasync.reconcile.yaml": policy,
    "infra/infrasync.config.yaml":
      "environments: { one: { sources: [one], vars: { UNUSED: 1 }, var_files: [vars.yaml] } }\n",
  });
  const place = ["--repo", repository.origin, "--path", "infra", "--allow-local-repo"];
  const config = await fixture.write("operator.yaml", `reconcile: { notify_file: ${route} }\n`);
  const files = ["--config", config, "--access-file", access];
  const ran = await fixture.run(["reconcile", ...place, "--once", "--yes", ...files], {
    env: { PATH: process.env["PATH"] },
  });
  for (const statement of [
    "environments.one.vars.UNUSED (infra/infrasync.config.yaml:1) has no effect",
    "the file of variables infra/vars.yaml has values without effect: no manifest uses OTHER",
    'environments "shop/two" (infra/infrasync.reconcile.yaml:2) has no effect',
    "has no effect: it ended at 2020-01-01T00:00:00.000Z",
    'promote.after "shop/stagign" (infra/infrasync.reconcile.yaml:5) prevents every change in "shop/staging"',
    'routes[0].environments of notify.yaml "shop/a"',
    'limits.environments of access.yaml "other/b"',
    'roles[0].environments of access.yaml "shop/c"',
  ])
    expect.soft((ran.stdout + ran.stderr).replaceAll(`${fixture.folder}/`, "")).toContain(statement);
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
    'the approval "job:shop/staging/nigthly" matches no declared or live resource',
  );
  expect(ran.stderr).toContain("did you mean job:shop/staging/nightly?");
  expect((await fixture.run([...line, "job:shop/staging/nightly"])).code).toBe(0);
});
