import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { GitRepository } from "../../fixtures/git-repository.ts";
import { application, job, shop } from "../../fixtures/manifests.ts";
import { documentOf, type Ran } from "../captured.ts";
import { useFixture, writesOf } from "../fixture.ts";

const fixture = useFixture();
let repository: GitRepository;

beforeEach(() => {
  repository = new GitRepository();
  return () => repository[Symbol.dispose]();
});

/** The variable that secrets may come from. */
let allowed: string | undefined;

/** Runs `infrasync reconcile --once` on the repository of the test; paths in the output are those of the test. */
async function reconcileOnce(...args: string[]): Promise<Ran> {
  const given = ["--repo", repository.origin, "--path", "infra", "--allow-local-repo", "--once", "--yes"];
  const ran = await fixture.run(["reconcile", ...given, ...args], {
    env: { PATH: process.env["PATH"], INFRASYNC_ALLOW_ENV: allowed },
  });
  const shown = (text: string) => text.replaceAll(repository.origin, "ORIGIN");
  return { code: ran.code, stdout: shown(ran.stdout), stderr: shown(ran.stderr) };
}

test("the newest commit is applied, and a second run has nothing to do", async () => {
  repository.push({ "infra/shop.yaml": shop, "infra/jobs/a.yaml": job("a"), "README.md": "no manifest" });
  const first = await reconcileOnce();
  expect(first).toMatchObject({ code: 0, stdout: expect.stringContaining("Done: 3 created.") });
  repository.push({ "infra/jobs/a.yaml": job("a", "cpu: 750"), "infra/jobs/b.yaml": job("b") });
  expect((await reconcileOnce()).stdout).toContain("Plan: 1 to create, 1 to update; 2 unchanged.");
  await fixture.takeRequests();
  const third = await reconcileOnce();
  expect(third).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("No changes to make: 4 resources"),
  });
  expect(writesOf(await fixture.takeRequests())).toEqual([]);
});

test.each([[], ["--once"], ["--listen", "127.0.0.1:0"]])(
  "reconcile %j --dry-run shows what the newest commit would change, and ends",
  async (...flags) => {
    repository.push({ "infra/shop.yaml": shop, "infra/infrasync.reconcile.yaml": "on_commit: apply\n" });
    const words = ["reconcile", "--repo", repository.origin, "--path", "infra", "--allow-local-repo"];
    const ran = await fixture.run([...words, ...flags, "--dry-run"], { env: { PATH: process.env["PATH"] } });
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining("Plan: 2 to create.") });
    expect(writesOf(await fixture.takeRequests())).toEqual([]);
  },
);

test("the environments of the settings file are applied, each from its sources and values", async () => {
  const environment = (name: string, more: string) =>
    `  ${name}: { sources: [project, base], vars: { ENVIRONMENT: ${name}${more} } }\n`;
  const settings = (cpu: string) =>
    `environments:\n${environment("staging", cpu)}  production: { sources: [project, base, over], var_files: [production.vars.yaml] }\n`;
  const [project = "", its = ""] = shop.split("---\n");
  repository.push({
    "infra/infrasync.config.yaml": settings(", CPU: 500"),
    "infra/project/shop.yaml": project,
    "infra/base/all.yaml": `${its}---\n${job("a", "cpu: ${CPU:-250}")}`.replaceAll(
      "staging",
      "${ENVIRONMENT}",
    ),
    "infra/over/a.yaml": job("a", "memory: 1024").replaceAll("staging", "production"),
    "infra/production.vars.yaml": "ENVIRONMENT: production\nCPU: 1000\n",
  });
  const first = await reconcileOnce();
  expect(first).toMatchObject({ code: 0, stdout: expect.stringContaining("Done: 5 created.") });
  repository.push({ "infra/infrasync.config.yaml": settings(", CPU: 750") });
  const { stdout } = await reconcileOnce();
  expect(stdout).toContain("Plan: 1 to update; 4 unchanged.");
  expect(stdout).toContain("cpu  500m -> 750m");
  repository.push({ "infra/over/a.yaml": undefined, "infra/infrasync.config.yaml": settings(", CPU: ]") });
  expect(await reconcileOnce()).toMatchObject({ code: 3 });
  repository.push({ "infra/infrasync.config.yaml": settings("") });
  expect((await reconcileOnce()).stderr).toContain("infra/over does not exist");
});

test("the limits and ignored fields of the access file hold for a single run too", async () => {
  const file = join(repository.folder, "access.yaml");
  writeFileSync(
    file,
    "limits: { kinds: [Project, Environment, Job] }\nignore: [{ kinds: [Job], fields: [cpu] }]\n",
  );
  repository.push({ "infra/shop.yaml": shop, "infra/a.yaml": job("a", "cpu: 500") });
  await reconcileOnce("--access-file", file);
  repository.push({ "infra/a.yaml": job("a", "cpu: 750") });
  expect((await reconcileOnce("--access-file", file)).stdout).toContain("No changes to make: 3 resources");
  repository.push({ "infra/api.yaml": application("api") });
  expect(await reconcileOnce("--access-file", file)).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("application:shop/staging/api is outside the limits of this repository"),
  });
});

test("nothing is deleted without --prune, and its consent in the repository counts", async () => {
  const pruning = shop.replace("mode: STAGING", "mode: STAGING\nmanage: { prune: true }");
  repository.push({ "infra/shop.yaml": pruning, "infra/a.yaml": job("a"), "infra/b.yaml": job("b") });
  await reconcileOnce();
  repository.push({ "infra/b.yaml": undefined });
  await fixture.takeRequests();
  expect(await reconcileOnce()).toMatchObject({ code: 0 });
  expect(writesOf(await fixture.takeRequests())).toEqual([]);
  expect(await reconcileOnce("--prune")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("Done: 1 deleted."),
  });
});

test("the settings file of a commit protects and lowers caps, and raises none", async () => {
  const pruning = shop.replace("mode: STAGING", "mode: STAGING\nmanage: { prune: true }");
  const jobs = Object.fromEntries(["a", "b", "c"].map((name) => [`infra/${name}.yaml`, job(name)]));
  repository.push({ "infra/shop.yaml": pruning, ...jobs });
  await reconcileOnce();
  const without = (settings: string) =>
    repository.push({
      "infra/infrasync.config.yaml": settings,
      ...Object.fromEntries(Object.keys(jobs).map((name) => [name, undefined])),
    });
  without("max_deletes: 2");
  expect(await reconcileOnce("--prune")).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("3 resources would be deleted or replaced, and the limit is 2"),
  });
  without("max_deletes: 100");
  expect(await reconcileOnce("--prune", "--max-deletes", "2")).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("the limit is 2"),
  });
  without("base_url: https://elsewhere.example.com");
  expect(await reconcileOnce("--prune")).toMatchObject({
    code: 3,
    stderr: expect.stringContaining(
      "infra/infrasync.config.yaml:1:11: error: base_url in the settings file and INFRASYNC_BASE_URL differ",
    ),
  });
  expect(await fixture.requests()).not.toContain("DELETE /job/{id}");
  without("protect: ['job:shop/staging/a']");
  expect((await reconcileOnce("--prune")).stdout).toContain("Done: 2 deleted.");
  expect((await fixture.takeRequests()).filter((request) => request === "DELETE /job/{id}")).toHaveLength(2);
});

test("a commit that lifts a protection deletes nothing that it protected; one after it may", async () => {
  const pruning = shop.replace("mode: STAGING", "mode: STAGING\nmanage: { prune: true }");
  const settings = "infra/infrasync.config.yaml";
  const run = () => reconcileOnce("--prune", "--data", join(fixture.folder, "data"));
  const protecting = { [settings]: "protect: ['job:shop/staging/a']" };
  repository.push({
    "infra/shop.yaml": pruning,
    "infra/a.yaml": job("a"),
    "infra/b.yaml": job("b"),
    ...protecting,
  });
  expect(await run()).toMatchObject({ code: 0 });
  repository.push({ "infra/a.yaml": undefined, [settings]: undefined });
  for (let cycle = 0; cycle < 2; cycle++)
    expect(await run()).toMatchObject({
      code: 3,
      stderr: expect.stringContaining(
        'job:shop/staging/a: not pruned, because it is protected by the pattern "job:shop/staging/a" in the settings of the commit',
      ),
    });
  expect(await fixture.requests()).not.toContain("DELETE /job/{id}");
  repository.push({ "infra/a.yaml": job("a") });
  expect(await run()).toMatchObject({ code: 0 });
  repository.push({ "infra/a.yaml": undefined });
  expect(await run()).toMatchObject({ code: 0, stdout: expect.stringContaining("Done: 1 deleted.") });
});

test("a commit that takes out a policy and breaks it is not applied", async () => {
  const settings = "infra/infrasync.config.yaml";
  const run = () => reconcileOnce("--data", join(fixture.folder, "data"));
  repository.push({
    "infra/shop.yaml": shop,
    "infra/a.yaml": job("a", "cpu: 500"),
    [settings]: "policies: [{ built_in: cpu-bounds, with: { max: 500 } }]",
  });
  expect(await run()).toMatchObject({ code: 0 });
  repository.push({ "infra/a.yaml": job("a", "cpu: 600"), [settings]: undefined });
  expect(await run()).toMatchObject({ code: 3, stderr: expect.stringContaining("policy cpu-bounds") });
  expect(await fixture.requests()).not.toContain("PUT /job/{id}");
});

test("the settings file of a commit does not raise the caps that hold without a flag", async () => {
  const pruning = shop.replace("mode: STAGING", "mode: STAGING\nmanage: { prune: true }");
  const names = Array.from({ length: 11 }, (_, index) => `job-${index}`);
  repository.push({ "infra/shop.yaml": pruning, "infra/jobs.yaml": names.map((name) => job(name)).join("") });
  await reconcileOnce();
  repository.push({ "infra/jobs.yaml": undefined, "infra/infrasync.config.yaml": "max_deletes: 100,100%" });
  expect(await reconcileOnce("--prune")).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("11 resources would be deleted or replaced, and the limit is 10"),
  });
});

test("symbolic links within the folder are followed, also one in the place of the settings file", async () => {
  const pruning = shop.replace("mode: STAGING", "mode: STAGING\nmanage: { prune: true }");
  repository.push({
    "README.md": "",
    "infra/shop.yaml": pruning,
    "infra/.shared/jobs/linked.yaml": job("linked"),
    "infra/.shared/settings.yaml": "protect: [shop/staging/linked]\n",
    "infra/more": { link: "../infra/.shared/jobs" },
    "infra/README.md": { link: "../README.md" },
    "infra/infrasync.config.yaml": { link: ".shared/settings.yaml" },
  });
  expect(await reconcileOnce()).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("Done: 3 created."),
  });
  repository.push({ "infra/.shared/jobs/linked.yaml": "# nothing\n" });
  const { stdout, stderr } = await reconcileOnce("--prune");
  expect(stdout + stderr).toContain("Job shop/staging/linked: not pruned, because it is protected");
});

test.each<[string, Parameters<GitRepository["push"]>[0], string]>([
  [
    "a mistake in a manifest",
    { "infra/shop.yaml": `${shop}colour: red\n` },
    'infra/shop.yaml:9:1: error: an Environment has no field "colour"',
  ],
  ["a folder without manifests", { "infra/README.md": "" }, "infra contains no manifests"],
  [
    "a symbolic link that leaves the folder",
    { "infra/shop.yaml": shop, "infra/more": { link: "../elsewhere" } },
    "infra/more is a symbolic link that leaves the folder",
  ],
  [
    "a symbolic link to nothing in the place of the settings file",
    { "infra/shop.yaml": shop, "infra/infrasync.config.yaml": { link: "other.yaml" } },
    "infra/infrasync.config.yaml is a symbolic link that leads to no file in infra",
  ],
  [
    "a settings file in a subfolder",
    { "infra/shop.yaml": shop, "infra/jobs/infrasync.config.yaml": "protect: []" },
    "infra/jobs/infrasync.config.yaml would apply to a part of infra only",
  ],
])("%s is refused with its place, and nothing is sent", async (_what, files, message) => {
  repository.push(files);
  const ran = await reconcileOnce();
  expect(ran).toMatchObject({ code: 3, stderr: expect.stringContaining(message) });
  expect(writesOf(await fixture.requests())).toEqual([]);
});

test("a secret that is infrasync's own token is a mistake of its document, and nothing is sent", async () => {
  repository.push({
    "infra/shop.yaml": shop + job("a", "secrets: { STOLEN: { from_env: INFRASYNC_TOKEN } }"),
  });
  expect(await reconcileOnce()).toMatchObject({
    code: 3,
    stderr: expect.stringContaining(
      "is infrasync's own environment variable, and no secret may come from it",
    ),
  });
  expect(writesOf(await fixture.requests())).toEqual([]);
});

test.each<[string, Parameters<GitRepository["push"]>[0], string]>([
  [
    "a secret from a variable that nobody has allowed",
    { "infra/shop.yaml": shop + job("a", "secrets: { STOLEN: { from_env: PATH } }") },
    "the environment variable PATH, and this run lets manifests read none",
  ],
  [
    "a secret from a file of the machine",
    { "infra/shop.yaml": shop + job("a", "secrets: { STOLEN: { from_file: /etc/hostname } }") },
    "its value comes from the file /etc/hostname, and files are not allowed",
  ],
])("%s is refused with its place, and nothing is sent to its environment", async (_what, files, message) => {
  repository.push(files);
  const ran = await reconcileOnce();
  expect(ran).toMatchObject({ code: 3, stderr: expect.stringContaining(message) });
  expect(writesOf(await fixture.requests())).toEqual(["POST /organization/{id}/project"]);
});

test.each<[string, string[], string]>([
  ["a branch that is missing", ["--branch", "gone"], "the repository has no branch gone"],
  ["a folder that is missing", ["--path", "gone"], "has no folder gone"],
  ["a file in place of a folder", ["--path", "infra/shop.yaml"], "has no folder infra/shop.yaml"],
  [
    "a repository that is missing",
    ["--repo", "/nowhere.git"],
    "the repository /nowhere.git cannot be read: fatal:",
  ],
  [
    "a server that is missing",
    ["--repo", "https://127.0.0.1:1/x.git"],
    "cannot be read: fatal: unable to access",
  ],
])("%s ends the run with 1, and nothing is sent", async (_what, flags, message) => {
  repository.push({ "infra/shop.yaml": shop });
  expect(await reconcileOnce(...flags)).toMatchObject({ code: 1, stderr: expect.stringContaining(message) });
  expect(await fixture.requests()).toEqual([]);
});

test.each<[string, string[], string]>([
  ["no repository", ["--repo", ""], "--repo has no value"],
  [
    "a command in place of a URL",
    ["--repo", "ext::sh -c touch% /tmp/x"],
    "does not begin with https, ssh or file",
  ],
  ["an option in place of a URL", ["--repo=--upload-pack=touch"], "does not begin with https, ssh or file"],
  [
    "a password in the URL",
    ["--repo", "https://u:secret-password@example.com/x.git"],
    "contains a user or a password",
  ],
  ["an option in place of a branch", ["--branch=--all"], "is not the name of a branch"],
  ["a folder outside", ["--path", "../other"], "is not a folder of the repository"],
])("%s is a mistake of the command line", async (_what, flags, message) => {
  const ran = await reconcileOnce(...flags);
  expect(ran).toMatchObject({ code: 3, stderr: expect.stringContaining(message) });
  expect(ran.stderr).not.toContain("secret-password");
});

test("a local repository may be a path from the working directory", async () => {
  repository.push({ "infra/shop.yaml": shop });
  const from = relative(process.cwd(), repository.origin);
  expect(await reconcileOnce("--repo", from, "--allow-local-repo")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("Done: "),
  });
  const refused = await fixture.run(["reconcile", "--repo", from, "--once", "--yes"]);
  expect(refused).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("allow it with --allow-local-repo"),
  });
});

test("a local repository needs --allow-local-repo, and a run without a terminal needs --yes", async () => {
  const ran = await fixture.run(["reconcile", "--repo", repository.origin, "--once"]);
  expect(ran.code).toBe(3);
  expect(ran.stderr).toContain("allow it with --allow-local-repo");
  expect(ran.stderr).toContain("reconcile cannot ask for confirmation, because there is no terminal");
});

test("the repository may be in environment variables, and JSON output is that of apply", async () => {
  repository.push({ "shop.yaml": shop });
  const line = ["reconcile", "--once", "--yes", "--allow-local-repo", "--output", "json"];
  const ran = await fixture.run(line, {
    env: { PATH: process.env["PATH"], INFRASYNC_REPO: `file://${repository.origin}` },
  });
  expect(ran.code).toBe(0);
  expect(documentOf(ran)).toMatchObject({ ok: true, report: { outcomes: [{}, {}] } });
});

test("hooks and settings of a repository never run, and only manifests are read", async () => {
  repository.push({
    "infra/shop.yaml": shop,
    "infra/large.bin": "x".repeat(100_000),
    ".gitattributes": "*.yaml filter=evil diff=evil",
  });
  const data = join(repository.folder, "data");
  expect(await reconcileOnce("--data", data)).toMatchObject({ code: 0 });
  expect(readdirSync(data)).toEqual(["repository.git", "state.json"]);
  expect(existsSync(join(data, "repository.git", "hooks"))).toBe(false);
  expect(readFileSync(join(data, "repository.git", "config"), "utf8")).toContain("bare = true");
  // A second run uses the copy.
  repository.push({ "infra/a.yaml": job("a") });
  expect((await reconcileOnce("--data", data)).stdout).toContain("Done: 1 created.");
});

test("--once needs nothing that the page or the webhooks of a service would need", async () => {
  repository.push({ "infra/shop.yaml": shop });
  const given = ["--repo", repository.origin, "--path", "infra", "--allow-local-repo"];
  const env = { INFRASYNC_LISTEN: "0.0.0.0:8081" };
  const ran = await fixture.run(["reconcile", ...given, "--once", "--yes"], { env });
  expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining("Done: 2 created.") });
});

test("--once leaves out what the policy lets wait, and says so; the settings file of the operator tightens it", async () => {
  const production = "---\nkind: Environment\nproject: shop\nname: production\nmode: PRODUCTION\n";
  const policy = "infra/infrasync.reconcile.yaml";
  const documents = shop + production + job("a") + job("a", "", "shop/production");
  repository.push({
    "infra/shop.yaml": documents,
    [policy]: "environments: { shop/production: { on_commit: report } }",
  });
  const first = await reconcileOnce();
  expect(first).toMatchObject({ code: 0, stdout: expect.stringContaining("Done: 3 created.") });
  expect(first.stderr).toContain(
    "Not applied, because the policy says so: shop/production (on_commit: report).",
  );
  expect((await reconcileOnce()).stdout).toContain("No changes to make: 3 resources");

  repository.push({ [policy]: "on_commit: apply" });
  const config = await fixture.write("operator.yaml", "reconcile: { on_commit: report }\n");
  expect(await reconcileOnce("--config", config)).toMatchObject({
    code: 0,
    stdout: "",
    stderr: expect.stringContaining("shop (on_commit: report), shop/staging (on_commit: report)"),
  });
  await fixture.write("infrasync.config.yaml", "reconcile: { on_commit: report }\n");
  const before = process.cwd();
  process.chdir(fixture.folder);
  const unnamed = await reconcileOnce().finally(() => process.chdir(before));
  expect(unnamed.stdout).toContain("Done: 2 created.");
  expect(unnamed.stderr).toContain(
    "the section reconcile of infrasync.config.yaml is ignored: only the file of --config may have one",
  );
});

test("a resource that needs a waiting environment waits too", async () => {
  repository.push({
    "infra/shop.yaml": shop + job("a"),
    "infra/infrasync.reconcile.yaml":
      "{ on_commit: report, environments: { shop/staging: { on_commit: apply } } }",
  });
  const ran = await reconcileOnce();
  expect(ran).toMatchObject({ code: 0, stdout: "" });
  expect(ran.stderr).toContain("shop/staging (it needs shop, which is not applied)");
  expect(writesOf(await fixture.requests())).toEqual([]);
});

test("--once applies the environments that need no consent, and says which one waits for one", async () => {
  const production = "---\nkind: Environment\nproject: shop\nname: production\nmode: PRODUCTION\n";
  const volume = "storage: [{ mount_point: /data, size: 10, type: FAST_SSD }]";
  const documents = (api: string, cpu: string) =>
    shop + production + application("api", api) + job("a", cpu, "shop/production");
  repository.push({ "infra/shop.yaml": documents(volume, "cpu: 500") });
  await reconcileOnce();
  repository.push({ "infra/shop.yaml": documents("storage: []", "cpu: 750") });
  const ran = await reconcileOnce("--data", join(fixture.folder, "data"));
  expect(ran).toMatchObject({ code: 3, stdout: expect.stringContaining("Done: 1 updated.") });
  const waits = "application:shop/staging/api would lose the volume /data (10 GiB)";
  expect(ran.stderr).toContain(`Not applied:\n\nerror: ${waits}`);
  expect(ran.stderr).not.toContain("nothing has been changed");
  const json = documentOf(await reconcileOnce("--output", "json"));
  expect(json).toMatchObject({
    ok: false,
    error: { code: "not_approved", message: expect.stringContaining(waits) },
    problems: [{ code: "loss", address: "application:shop/staging/api" }],
  });

  // A secret that cannot be read is the matter of its environment too.
  repository.push({
    "infra/shop.yaml":
      documents(`${volume}\nsecrets: { KEY: { from_env: NOT_SET } }`, "cpu: 500") +
      job("b", "", "shop/production"),
  });
  allowed = "NOT_SET";
  onTestFinished(() => void (allowed = undefined));
  const third = await reconcileOnce();
  expect(third).toMatchObject({ code: 3, stdout: expect.stringContaining("Done: 1 updated, 1 created.") });
  expect(third.stderr).toContain("application:shop/staging/api: secrets.KEY: ");
});

test("a mistake in the policy is reported like one in a manifest, also by validate", async () => {
  repository.push({ "infra/shop.yaml": shop, "infra/infrasync.reconcile.yaml": "on_drift: aply" });
  const line = "infrasync.reconcile.yaml:1:11: error: on_drift must be one of off, report, apply";
  expect(await reconcileOnce()).toMatchObject({ code: 3, stderr: expect.stringContaining(`infra/${line}`) });
  expect(writesOf(await fixture.requests())).toEqual([]);
  await fixture.write("manifests/shop.yaml", shop);
  await fixture.write("manifests/infrasync.reconcile.yaml", "on_drift: aply");
  const manifests = join(fixture.folder, "manifests");
  const validated = await fixture.run(["validate", manifests]);
  expect(validated).toMatchObject({ code: 3, stderr: expect.stringContaining(`manifests/${line}`) });
  await fixture.write("manifests/infrasync.reconcile.yaml", "on_drift: apply");
  expect(await fixture.run(["validate", manifests])).toMatchObject({
    code: 0,
    stdout: "Valid: 2 documents in 1 file.\n",
  });
});
