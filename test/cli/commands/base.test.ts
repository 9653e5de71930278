import { symlinkSync } from "node:fs";
import { cp, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { steady, useFixture } from "../fixture.ts";
import { job, shop } from "../../fixtures/manifests.ts";
import { runGit, runScript } from "../../fixtures/shell.ts";
import { temporaryFolder } from "../../fixtures/temporary-folder.ts";

const fixture = useFixture();

const git = (...args: string[]) => runGit(fixture.folder, ...args);

const env = { PATH: process.env["PATH"] };
const plan = (...args: string[]) =>
  fixture.run(["plan", join(fixture.folder, "infra"), "--base", "main", ...args], { env });

/** On main: a job that has drifted live. In the folder: a change of another field, and a new job. */
beforeEach(async () => {
  await fixture.write("infra/shop.yaml", shop + job("a", "cpu: 750"));
  await fixture.run(["apply", join(fixture.folder, "infra"), "--yes"]);
  git("init", "--quiet", "--initial-branch=main");
  await fixture.write("infra/shop.yaml", shop + job("a", "cpu: 500"));
  git("add", "infra");
  git("commit", "--quiet", "--message", "the base");
  await fixture.write("infra/shop.yaml", shop + job("a", "cpu: 500\nmemory: 640") + job("b"));
  await fixture.takeRequests();
});

test("plan --base tells what the change itself does from drift that was there before, with no request more", async () => {
  const { stdout, code } = await plan("--detailed-exitcode");
  expect(code).toBe(2);
  expect(steady(stdout)).toMatchInlineSnapshot(`
    "Changes of these manifests, compared with main:

      ~ Job shop/staging/a
          memory  512 MB -> 640 MB
      + Job shop/staging/b
          source.image.image_name        acme/report
          source.image.tag               "1"
          source.image.registry          docker-hub
          schedule.cronjob.scheduled_at  0 3 * * *
          schedule.cronjob.timezone      UTC

    Differences that exist without the change too; an apply makes these changes as well:

      ~ Job shop/staging/a
          cpu  750m -> 500m

    Plan: 1 to create, 1 to update; 2 unchanged.
    Not checked: settings of 3 resources, variables and secrets of 3, deployments of 1 (use --strict).
    Requests: 6 spent on planning, 3 to apply; 986 of 1000 left, resets in N min.
    Digest: {digest}
    "
  `);
  const requests = await fixture.takeRequests();
  await fixture.run(["plan", join(fixture.folder, "infra")]);
  expect(requests.toSorted()).toEqual((await fixture.takeRequests()).toSorted());
});

test("a change that takes drift over settles it", async () => {
  await fixture.write("infra/shop.yaml", shop + job("a", "cpu: 750"));
  const { stdout, code } = await plan("--detailed-exitcode");
  expect(code).toBe(0);
  expect(stdout).toContain("Compared with main, these manifests change nothing.");
  expect(stdout).toMatch(
    /Changes that an apply of main would make, and that are no longer needed:\n\n {2}~ Job shop\/staging\/a\n {6}cpu {2}750m -> 500m/,
  );
});

test("JSON, Markdown and HTML keep the parts of a comparison apart", async () => {
  const json = JSON.parse((await plan("--output", "json")).stdout) as object;
  expect(json).toMatchObject({
    base: {
      name: "main",
      own: [
        { action: "update", address: "job:shop/staging/a", fields: ["memory"] },
        { action: "create", address: "job:shop/staging/b" },
      ],
      earlier: [{ action: "update", address: "job:shop/staging/a", fields: ["cpu"] }],
      settled: [],
    },
  });
  const markdown = (await plan("--output", "markdown")).stdout;
  expect(markdown).toContain("**Changes of these manifests, compared with `main`:**");
  expect(markdown).toContain(
    "<summary>Differences that exist without the change too; an apply makes these changes as well (1)</summary>",
  );
});

test("the base can be a folder, and a folder that the base does not have is new as a whole", async () => {
  const base = join(fixture.folder, "before");
  await cp(join(fixture.folder, "infra"), base, { recursive: true });
  const ran = await fixture.run(["plan", join(fixture.folder, "infra"), "--base", base]);
  expect(ran.stdout).toContain("these manifests change nothing");
  await fixture.write("more/shop.yaml", shop + job("c"));
  const added = await fixture.run(
    ["plan", join(fixture.folder, "more"), "--base", "main", "--output", "json"],
    { env },
  );
  expect(JSON.parse(added.stdout)).toMatchObject({
    base: { own: [{ address: "job:shop/staging/c" }], earlier: [] },
  });
});

test.each([["none-such"], ["--upload-pack=x"], ["main:infra"]])("the base %s is refused", async (base) => {
  const ran = await fixture.run(["plan", join(fixture.folder, "infra"), `--base=${base}`], { env });
  expect(ran).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(/error: (neither a folder nor a reference|git )/),
  });
  expect(await fixture.requests()).toEqual([]);
});

test("links of the base are followed as in the folder", async () => {
  await fixture.write("infra/.shared/c.yaml", job("c"));
  symlinkSync(".shared", join(fixture.folder, "infra/more"));
  git("add", "infra");
  git("commit", "--quiet", "--message", "a link");
  expect((await plan()).stdout).toContain("Compared with main, these manifests change nothing.");
});

test("a base with 100,000 files beside the manifests is read as the folder is: those that a manifest names, and no other", async () => {
  const mounted = "variables: { CONF: { file: { mount_path: /etc/app.conf, from: app.conf } } }";
  await fixture.write("infra/c.yaml", job("c", mounted));
  await fixture.write("infra/app.conf", "colour: red\n");
  git("add", "infra");
  git("commit", "--quiet", "--message", "a file to mount");
  const others = Array.from(
    { length: 100_000 },
    (_, index) => `M 100644 :1 infra/src/${index % 100}/${index}.ts`,
  );
  const commit =
    "commit refs/heads/main\ncommitter author <author@example.com> 0 +0000\ndata 0\nfrom refs/heads/main^0";
  await fixture.write(".git/import", `blob\nmark :1\ndata 0\n\n${commit}\n${others.join("\n")}\n`);
  runScript(fixture.folder, "git fast-import --quiet <.git/import");
  await fixture.write("infra/app.conf", "colour: blue\n");
  const { stdout } = await plan("--output", "json");
  expect(JSON.parse(stdout)).toMatchObject({
    base: { own: [{ address: "job:shop/staging/c", action: "create" }] },
  });
  await fixture.write("infra/app.conf", "colour: red\n");
  expect((await plan()).stdout).toContain("Compared with main, these manifests change nothing.");
});

test.each([
  ["a source that has changed", "{ from_file: db.txt }", "{ from_file: db.txt }"],
  ["another source", "{ from_file: old.txt }", "{ from_file: db.txt }"],
  [
    "another version of the same source",
    "{ from_file: db.txt, version: v1 }",
    "{ from_file: db.txt, version: v2 }",
  ],
  [
    "a file to mount",
    "{ from_file: db.txt, mount_path: /etc/db }",
    "{ from_file: db.txt, mount_path: /etc/other }",
  ],
])("no output has the value of a secret at the base or in the folder: %s", async (_name, before, after) => {
  const [old, young] = ["0ld-s3cret-of-the-base", "y0ung-s3cret-of-the-folder"];
  await fixture.write("infra/old.txt", old);
  await fixture.write("infra/db.txt", old);
  const declared = (source: string) =>
    fixture.write(
      "infra/c.yaml",
      job("c", `secrets: { DB: ${source} }`) + job("d", `secrets: { DB: ${source} }`),
    );
  await declared(before);
  git("add", "infra");
  git("commit", "--quiet", "--message", "a secret");
  // The server has the secret of one of two jobs.
  await fixture.run(["apply", join(fixture.folder, "infra"), "--yes", "--target", "job:shop/staging/c"]);
  await fixture.write("infra/db.txt", young);
  await declared(after);
  for (const form of ["text", "markdown", "json"]) {
    const { stdout, stderr, code } = await plan("--output", form, "--strict");
    expect({ form, code, stderr }).toMatchObject({ form, code: 0 });
    expect(stdout).toContain("DB");
    expect(stdout + stderr).not.toMatch(/s3cret/);
  }
});

test("a variable file of the base is not read through a link that leads out of the commit", async () => {
  const outside = temporaryFolder("outside");
  await writeFile(join(outside, "v.yaml"), "outside text\n");
  const settings = await fixture.write(
    "infrasync.config.yaml",
    "environments: { staging: { sources: [infra, a], var_files: [values.yaml] } }\n",
  );
  // By its words the link leads to a file of the commit; by the links on its way, to a folder beside that of the commit.
  await fixture.write("a/.infrasyncignore", "b\n");
  await fixture.write("a/c.yaml", job("c"));
  await fixture.write(`a/b/${basename(outside)}/v.yaml`, "TAG: a\n");
  symlinkSync("../..", join(fixture.folder, "a/b/.top"));
  symlinkSync(`a/b/.top/../${basename(outside)}/v.yaml`, join(fixture.folder, "values.yaml"));
  git("add", ".");
  git("commit", "--quiet", "--message", "a link");
  await rm(join(fixture.folder, "values.yaml"));
  await fixture.write("values.yaml", "TAG: a\n");
  const { code, stderr } = await fixture.run(["plan", "staging", "--base", "main", "--config", settings], {
    env,
  });
  expect(code).toBe(3);
  expect(stderr).toContain("main:values.yaml is a symbolic link that leaves the folder");
  expect(stderr).not.toContain("outside text");
});

test("mistakes of the base are told with its name and their place", async () => {
  await fixture.write("infra/shop.yaml", shop + job("a", "colour: red"));
  git("commit", "--quiet", "--all", "--message", "a mistake");
  await fixture.write("infra/shop.yaml", shop + job("a"));
  const ran = await plan();
  expect(ran.code).toBe(3);
  expect(ran.stderr).toMatch(/^main:infra\/shop.yaml:\d+:1: error: .*no field "colour"/);
});

test("ignore files hold in the base too, also one beside the settings file above", async () => {
  await fixture.write("infrasync.config.yaml", "organization: acme\n");
  await fixture.write(".infrasyncignore", "*.values.yaml\n");
  await fixture.write("infra/web.values.yaml", "replicas: 1\n");
  git("add", ".infrasyncignore", "infrasync.config.yaml", "infra");
  git("commit", "--quiet", "--message", "values of a chart");
  await fixture.write("infra/web.values.yaml", "replicas: 2\n");
  const { stdout, stderr } = await plan();
  expect(stderr).not.toContain("web.values.yaml");
  expect(stdout).toContain("Compared with main, these manifests change nothing.");
});

test("a base that is a folder and a branch, or a tag and a branch, is refused with the names to write", async () => {
  const cwd = process.cwd();
  process.chdir(fixture.folder);
  onTestFinished(() => process.chdir(cwd));
  await fixture.write("main/shop.yaml", shop);
  const both = await plan();
  expect(both).toMatchObject({ code: 3, stderr: expect.stringContaining("./main or refs/heads/main") });
  await rm(join(fixture.folder, "main"), { recursive: true });
  expect((await plan()).code).toBe(0);
  git("tag", "main", "main");
  const twice = await plan();
  expect(twice.code).toBe(1);
  expect(twice.stderr).toContain("refs/heads/main or refs/tags/main");
  const named = ["plan", join(fixture.folder, "infra"), "--base", "refs/heads/main"];
  expect((await fixture.run(named, { env })).code).toBe(0);
});
