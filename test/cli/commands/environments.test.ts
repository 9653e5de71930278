import { chmod, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { gitHostToken, repository, startGitHub } from "../../fixtures/forges/server.ts";
import { httpBackend, serveHttps } from "../../fixtures/git-servers.ts";
import { mayBeMissing } from "../../fixtures/tools.ts";
import { runGit } from "../../fixtures/shell.ts";
import { useFixture, writesOf } from "../fixture.ts";
import { temporaryFolder } from "../../fixtures/temporary-folder.ts";

const fixture = useFixture();
const settingsFile = () => join(fixture.folder, "infrasync.config.yaml");
const run = (...args: string[]) => fixture.run([...args, "--config", settingsFile()]);

const git = (...args: string[]) => runGit(fixture.folder, ...args);

const settings = `environments:
  staging:
    sources: [project, base, overlays/staging]
    vars: { ENVIRONMENT: staging, TAG: 1.10 }
  production:
    sources: [project, base, overlays/production]
    var_files: [production.vars.yaml]
    protect: [shop/production/**]
`;

const base = `kind: Environment
project: shop
name: \${ENVIRONMENT}
cluster: eu-west
---
kind: Job
environment: shop/\${ENVIRONMENT}
name: report
source:
  image: { registry: docker-hub, image_name: acme/report, tag: "\${TAG}" }
schedule: { cronjob: { scheduled_at: "0 3 * * *" } }
`;

const overlay = (environment: string, memory: number) =>
  `kind: Job\nenvironment: shop/${environment}\nname: report\nmemory: ${memory}\n`;

beforeEach(async () => {
  await fixture.write("infrasync.config.yaml", settings);
  await fixture.write("production.vars.yaml", "ENVIRONMENT: production\nTAG: 1.9\n");
  await fixture.write("project/project.yaml", "kind: Project\nname: shop\n");
  await fixture.write("base/base.yaml", base);
  await fixture.write("overlays/staging/report.yaml", overlay("staging", 256));
  await fixture.write("overlays/production/report.yaml", overlay("production", 1024));
});

test("an environment is planned from its own sources and values, as they are written", async () => {
  const { stdout } = await run("plan", "staging");
  expect(stdout).toContain('source.image.tag               "1.10"');
  expect(stdout).toContain("memory                         256 MB");
  expect(stdout).not.toContain("production");
});

test("a value of the command line wins over those of the environment", async () => {
  const { stdout } = await run("plan", "production", "--var", "TAG=2.0");
  expect(stdout).toContain('source.image.tag               "2.0"');
});

describe("status of an environment of the settings file", () => {
  beforeEach(async () => {
    const { code, stderr } = await run("apply", "staging", "production", "--yes");
    if (code !== 0) throw new Error(stderr);
    await fixture.takeRequests();
  });

  test("shows the declared version if it differs from the live one, without another request", async () => {
    const same = await run("status", "staging");
    const requests = await fixture.takeRequests();
    expect(same.stdout).toContain("Environment shop/staging");
    expect(same.stdout).toContain("1.10");
    expect(same.stdout).not.toMatch(/production|manifests say/);
    await run("status", "shop/staging");
    expect(requests).toEqual(await fixture.takeRequests());
    const other = await run("status", "staging", "shop/production", "--var", "TAG=1.11");
    expect(other.stdout).toMatch(/Job shop\/staging\/report .* 1\.10 .*manifests say 1\.11/);
    expect(other.stdout).toMatch(/Job shop\/production\/report .* 1\.9 +never deployed\n/);
    const json = await run("status", "staging", "--var", "TAG=1.11", "--output", "json");
    expect(JSON.parse(json.stdout)).toMatchObject({
      environments: [{ services: [{ version: "1.10", declared_version: "1.11" }] }],
    });
  });

  test("a service is named by its name alone where it is the only one, and an environment by its name in the settings", async () => {
    await run("destroy", "job:shop/staging/report", "--yes");
    const text = (...args: string[]) => run(...args).then(({ stdout, stderr }) => stdout + stderr);
    expect(await text("deploy", "production", "--dry-run")).toContain("shop/production");
    expect(await text("deploy", "report", "--dry-run")).toContain("Job shop/production/report");
    expect(await text("get", "report")).toContain("environment: shop/production");
    expect(await text("status", "report")).toContain("Job shop/production/report");
    expect(await text("logs", "report")).toContain("the API has no log lines of Job shop/production/report");
    expect(await text("restart", "prodution", "--dry-run")).toContain("did you mean production");
    await run("apply", "staging", "--yes");
    expect(await text("deploy", "report", "--dry-run")).toMatch(
      /report can mean job:shop\/\w+\/report or job:shop\/\w+\/report\n {2}name one of them/,
    );
  });

  test("a mistake in the manifests of the environment is reported before any request, and any other word is a project", async () => {
    await fixture.write("overlays/staging/report.yaml", overlay("staging", -1));
    const { code, stderr } = await run("status", "staging");
    expect(code).toBe(3);
    expect(stderr).toContain("overlays/staging/report.yaml:4");
    expect(await fixture.takeRequests()).toEqual([]);
    expect((await run("status", "shop")).stdout).toMatch(/^Environment shop\/staging /);
  });
});

test("--all plans all environments with one reading, a section for each, and one digest", async () => {
  const file = join(fixture.folder, "plan.json");
  const { stdout } = await run("plan", "--all", "--out", file);
  const shown = await fixture.run(["show", file]);
  const withoutQuota = (text: string) => text.replace(/; \d+ of 1000 left, resets in [^.]*/, "");
  expect(withoutQuota(shown.stdout)).toBe(withoutQuota(stdout));
  const headings = stdout.split("\n").filter((line) => /^(?:staging|production)[a-z, ]*:$/.test(line));
  expect(headings).toEqual(["staging, production:", "staging:", "production:"]);
  expect(stdout.match(/\+ Project shop/g)).toHaveLength(1);
  expect(stdout.match(/^Digest: /gm)).toHaveLength(1);
  const markdown = await run("plan", "staging", "production", "--output", "markdown");
  expect(markdown.stdout).toContain("**staging**\n\n|  | Resource |  |");
  const applied = await run("apply", "--all", "--yes");
  expect(applied.stdout).toContain("Done: 5 created.");
  expect((await run("plan", "--all")).stdout).toContain("No changes to make: 5 resources");
});

test("a document that several environments share has to be the same in all of them", async () => {
  await fixture.write(
    "project/project.yaml",
    'kind: Project\nname: shop\ndescription: "for ${ENVIRONMENT}"\n',
  );
  const { stderr, code: exitCode } = await run("plan", "--all");
  expect(exitCode).toBe(3);
  expect(stderr).toContain("project:shop differs between staging and production");
  expect(await fixture.takeRequests()).toEqual([]);
});

test("a protection of one environment holds in runs of the others too", async () => {
  await run("apply", "--all", "--yes");
  const folder = await fixture.write("production.yaml", base.replaceAll("${ENVIRONMENT}", "production"));
  const { stderr, code: exitCode } = await run("destroy", folder, "--var", "TAG=1.9", "--yes");
  expect(exitCode).toBe(3);
  expect(stderr).toContain('protected by the pattern "shop/production/**"');
});

test("a resource that another environment declares does not count as unmanaged, also in a saved plan", async () => {
  await run("apply", "--all", "--yes");
  const file = join(fixture.folder, "plan.json");
  expect((await run("plan", "staging", "--out", file)).stdout).not.toContain("Unmanaged");
  const plan = JSON.parse(await readFile(file, "utf8")) as { inputs: { elsewhere: string[] } };
  expect(plan.inputs.elsewhere).toContain("environment:shop/production");
});

test("a prune of one file deletes nothing that the settings file declares in another one", async () => {
  await run("apply", "--all", "--yes");
  const file = await fixture.write(
    "one.yaml",
    "kind: Environment\nproject: shop\nname: ${ENVIRONMENT}\nmanage: { prune: true }\n",
  );
  const { code, stdout } = await run("plan", file, "--prune", "--var", "ENVIRONMENT=staging");
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringContaining("No changes to make: 1 resource in"),
  });
});

test("a pending rename in another file of the settings keeps the old resource from a prune, and protects it", async () => {
  await run("apply", "--all", "--yes");
  const listed = await run("list", "job:shop/staging/*", "--output", "json");
  const { resources } = JSON.parse(listed.stdout) as { resources: { id: string }[] };
  const file = await fixture.write(
    "one.yaml",
    "kind: Environment\nproject: shop\nname: staging\nmanage: { prune: true }\n",
  );
  const job = await fixture.write("job.yaml", "kind: Job\nenvironment: shop/staging\nname: report\n");
  const [environment = "", declared = ""] = base.split("---\n");
  await fixture.write("base/base.yaml", environment);
  for (const manage of ["renamed_from: report", `id: ${resources[0]?.id}`]) {
    const renamed = declared.replace("name: report", "name: statement");
    await fixture.write("overlays/staging/report.yaml", `${renamed}manage: { ${manage}, protect: true }\n`);
    expect((await run("plan", file, "--prune")).stdout).toContain("No changes to make: 1 resource in");
    expect(await run("destroy", job, "--yes")).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("protected by manage.protect of job:shop/staging/statement"),
    });
  }
});

test("a destroy of one file deletes nothing that the environments protect in another one, unless its own document lifts the protection", async () => {
  await run("apply", "--all", "--yes");
  const environment = "kind: Environment\nproject: shop\nname: staging\n";
  await fixture.write("overlays/staging/protect.yaml", `${environment}manage: { protect: true }\n`);
  const job = await fixture.write("one.yaml", "kind: Job\nenvironment: shop/staging\nname: report\n");
  await fixture.takeRequests();
  expect(await run("destroy", job, "--yes")).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("protected by manage.protect of environment:shop/staging"),
  });
  expect(writesOf(await fixture.takeRequests())).toEqual([]);
  const lifting = await fixture.write("lift.yaml", environment);
  expect(await run("destroy", job, lifting, "--target", "job:**", "--yes")).toMatchObject({ code: 0 });
});

test("promote writes the version into the last source of the target, and shows the plan", async () => {
  await fixture.write(
    "overlays/staging/report.yaml",
    overlay("staging", 256) + 'source: { image: { tag: "1.11" } }\n',
  );
  await fixture.write("overlays/production/report.yaml", `# much data\n${overlay("production", 1024)}`);
  await fixture.write("base/base.yaml", base.replace('"${TAG}"', '"1.9"'));
  await run("apply", "--all", "--yes");
  const { stdout } = await run("promote", "staging", "production", "--yes");
  expect(stdout).toContain('source.image.tag  "1.9" -> "1.11"');
  expect(await readFile(join(fixture.folder, "overlays/production/report.yaml"), "utf8")).toBe(
    `# much data\n${overlay("production", 1024)}source:\n  image:\n    tag: "1.11"\n`,
  );
  expect((await run("promote", "staging", "production", "--yes")).stdout).toContain("Nothing to promote");
  const config = await run("promote", "staging", "production", "--only", "config", "--dry-run");
  expect(config.stdout).toContain("+memory: 256");
  expect((await run("promote", "staging", "production", "--service", "api", "--yes")).stderr).toContain(
    "no service api",
  );
});

test("promote says that the files are written where their plan cannot be made", async () => {
  await run("apply", "--all", "--yes");
  await fixture.fault({ method: "GET", status: 403 });
  const { code, stderr } = await run("promote", "staging", "production", "--yes");
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^1 file written\.\nThe files stay as they are written; their plan could not be made:\nerror: 403 on GET /m,
  );
});

test("promote tells of a mistake in the settings file once, although it reads two environments", async () => {
  await fixture.write("infrasync.config.yaml", `${settings}    bases: [base]\n`);
  const { stderr } = await run("promote", "staging", "production", "--yes");
  expect(stderr.match(/environments\.production has no member "bases"/g)).toHaveLength(1);
});

describe("promote of services that are built from git", () => {
  const [old, now] = ["a".repeat(40), "b".repeat(40)];
  const api = (environment: string, more = "") =>
    `kind: Application\nenvironment: shop/${environment}\nname: api\ngit_repository: { url: "https://github.com/acme/api${more}" }\n`;
  const commits = async () => (await run("list", "application:**")).stdout.match(/\b[ab]{8}\b/g);

  beforeEach(async () => {
    await fixture.write("base/base.yaml", base.replace('"${TAG}"', '"1.9"'));
    await fixture.write("overlays/staging/api.yaml", api("staging"));
    await fixture.write("overlays/production/api.yaml", api("production"));
    await run("apply", "--all", "--yes");
    await run("deploy", "application:shop/production/api", "--commit", old, "--wait", "--yes");
    await run("deploy", "application:shop/staging/api", "--commit", now, "--wait");
  });

  test("deploys the commit that the other environment runs", async () => {
    const shown = await run("promote", "staging", "production", "--dry-run");
    expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining(`commit ${now}`) as string });
    expect(await commits()).toHaveLength(2);
    expect(new Set(await commits()).size).toBe(2);
    expect(await run("promote", "staging", "production", "--yes")).toMatchObject({ code: 0 });
    expect(await run("promote", "staging", "production", "--yes")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("has the image tags, chart versions and commits of staging") as string,
    });
  });

  test.each([
    ["another repository", "-2", [], "a commit of another repository is not promoted"],
    [
      "a commit of files",
      "",
      ["--commit"],
      "the commits of Application shop/production/api, which no manifest declares",
    ],
  ])(
    "names what it leaves out, and fails where nothing else was asked: %s",
    async (_case, more, args, message) => {
      await fixture.write("overlays/staging/api.yaml", api("staging", more));
      await fixture.takeRequests();
      const { code, stderr } = await run("promote", "staging", "production", "--yes", ...args);
      expect(stderr).toContain(message);
      expect(code).not.toBe(0);
      expect(writesOf(await fixture.takeRequests())).toEqual([]);
    },
  );
});

test("promote changes a variable that gives the version, where nothing else follows from it", async () => {
  const textOf = (name: string) => readFile(join(fixture.folder, name), "utf8");
  const { stdout } = await run("promote", "staging", "production", "--yes");
  expect(stdout).toContain('-TAG: 1.9\n  +TAG: "1.10"');
  expect(await textOf("production.vars.yaml")).toBe('ENVIRONMENT: production\nTAG: "1.10"\n');
  expect(await textOf("overlays/production/report.yaml")).toBe(overlay("production", 1024));
  const inSettings = settings.replace(
    "var_files: [production.vars.yaml]",
    "vars: { ENVIRONMENT: production, TAG: 1.9 } # by us",
  );
  await fixture.write("infrasync.config.yaml", inSettings);
  await run("promote", "staging", "production", "--yes");
  expect(await textOf("infrasync.config.yaml")).toBe(inSettings.replace("TAG: 1.9", 'TAG: "1.10"'));
});

test("promote states the version in the manifests where something else follows from its variable, and says so", async () => {
  await fixture.write("base/base.yaml", `${base}description: runs \${TAG}\n`);
  const { stderr } = await run("promote", "staging", "production", "--yes");
  expect(stderr).toContain(
    "The variable TAG no longer sets source.image.tag of Job shop/production/report: something else follows from it too",
  );
  expect(await readFile(join(fixture.folder, "production.vars.yaml"), "utf8")).toContain("TAG: 1.9\n");
  expect(await readFile(join(fixture.folder, "overlays/production/report.yaml"), "utf8")).toContain(
    'tag: "1.10"',
  );
});

test.each(["--commit", "--pull-request"])(
  "promote %s outside of a repository says so, and writes nothing",
  async (flag) => {
    const { code, stderr } = await run("promote", "staging", "production", flag, "--yes");
    expect([code, stderr]).toEqual([3, expect.stringContaining("the manifests are in no git repository")]);
    expect(stderr).not.toContain("no branch is checked out");
    expect(await readFile(join(fixture.folder, "production.vars.yaml"), "utf8")).toContain("TAG: 1.9\n");
  },
);

test("promote --commit commits the changed files, and nothing else, and hooks run", async () => {
  git("init", "--quiet", "--initial-branch", "main");
  git("config", "user.name", "ada");
  git("config", "user.email", "ada@example.com");
  git("add", ".");
  git("commit", "--quiet", "--message", "before");
  await fixture.write("overlays/staging/other.yaml", "# not committed\n");
  git("add", "overlays/staging/other.yaml");
  await fixture.write(".git/hooks/commit-msg", '#!/bin/sh\necho "checked by a hook" >> "$1"\n');
  await chmod(join(fixture.folder, ".git/hooks/commit-msg"), 0o755);
  const env = { PATH: process.env["PATH"] };
  const args = ["promote", "staging", "production", "--commit", "--yes", "--config", settingsFile()];
  const { stderr } = await fixture.run(args, { env });
  expect(stderr).toMatch(/Committed as [0-9a-f]{7}: Promote everything from staging to production/);
  const show = ["show", "--name-only", "--format=%B", "HEAD"];
  expect(git(...show)).toBe(
    "Promote everything from staging to production\nchecked by a hook\n\n\nproduction.vars.yaml",
  );
});

test.each([
  [
    "a file with changes",
    () => fixture.write("production.vars.yaml", "ENVIRONMENT: production\nTAG: 1.9 # mine\n"),
    "files to change have uncommitted changes",
  ],
  ["no branch", () => git("checkout", "--quiet", "--detach"), "no branch is checked out"],
  ["a merge", () => fixture.write(".git/MERGE_HEAD", `${"a".repeat(40)}\n`), "a merge is under way"],
])("promote --commit writes nothing where a person would not commit: %s", async (_case, prepare, message) => {
  git("init", "--quiet", "--initial-branch", "main");
  git("config", "user.name", "ada");
  git("config", "user.email", "ada@example.com");
  git("add", ".");
  git("commit", "--quiet", "--message", "before");
  await prepare();
  const before = await readFile(join(fixture.folder, "production.vars.yaml"), "utf8");
  const args = ["promote", "staging", "production", "--commit", "--yes", "--config", settingsFile()];
  const { code, stderr } = await fixture.run(args, { env: { PATH: process.env["PATH"] } });
  expect({ code, isSaid: stderr.includes(message), stderr }).toMatchObject({ code: 3, isSaid: true });
  expect(await readFile(join(fixture.folder, "production.vars.yaml"), "utf8")).toBe(before);
});

describe("promote --pull-request", () => {
  const remote = () => join(fixture.folder, "remote.git");
  const propose = (env: object, ...more: string[]) =>
    fixture.run(
      ["promote", "staging", "production", "--pull-request", "--yes", "--config", settingsFile(), ...more],
      { env: { PATH: process.env["PATH"], INFRASYNC_GIT_HOST_PROJECT: repository, ...env } },
    );

  beforeEach(() => {
    git("init", "--quiet", "--initial-branch", "main");
    git("config", "user.name", "ada");
    git("config", "user.email", "ada@example.com");
    git("add", ".");
    git("commit", "--quiet", "--message", "before");
    git("init", "--quiet", "--bare", remote());
    git("remote", "add", "origin", remote());
    git("push", "--quiet", "origin", "main");
  });

  test("pushes a new branch, opens the pull request, and changes nothing else", async () => {
    const server = await startGitHub();
    const forge = { INFRASYNC_GIT_HOST_API: server.url, INFRASYNC_GIT_HOST_TOKEN: gitHostToken };
    await fixture.write("overlays/staging/other.yaml", "# not committed\n");
    git("add", "overlays/staging/other.yaml");
    const before = git("rev-parse", "main");
    const { stdout, stderr } = await propose(forge);
    expect(stderr).toContain(`To merge: https://github.com/${repository}/pull/1`);
    expect(stdout).toContain("1.10");
    const [pull] = server.pulls;
    const branch = pull?.head.ref ?? "";
    expect(branch).toMatch(/^infrasync\/promote-everything-from-staging-to-production-[0-9a-f]{7}$/);
    expect(pull?.base?.ref).toBe("main");
    expect(git("-C", remote(), "show", "--name-only", "--format=%s", branch)).toBe(
      "Promote everything from staging to production\n\nproduction.vars.yaml",
    );
    expect(git("-C", remote(), "rev-parse", "main")).toBe(before);
    expect(git("rev-parse", "HEAD")).toBe(before);
    expect(git("symbolic-ref", "--short", "HEAD")).toBe("main");
    expect(git("status", "--porcelain", "--untracked-files=no")).toBe("A  overlays/staging/other.yaml");
  });

  test.skipIf(mayBeMissing(httpBackend))(
    "pushes over https with what the user's credential helper says",
    async () => {
      const origin = join(fixture.folder, "origin.git");
      git("clone", "--quiet", "--bare", remote(), origin);
      git("-C", origin, "config", "http.receivepack", "true");
      const { url, authority } = await serveHttps(fixture, "of-the-helper");
      git("remote", "set-url", "origin", url);
      git("config", "http.sslCAInfo", authority);
      const server = await startGitHub();
      const forge = { INFRASYNC_GIT_HOST_API: server.url, INFRASYNC_GIT_HOST_TOKEN: gitHostToken };
      const answering = (password: string) =>
        git("config", "credential.helper", `!f() { echo username=oauth2; echo password=${password}; }; f`);
      answering("wrong");
      expect(await propose(forge)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("git push failed"),
      });
      expect(git("status", "--porcelain", "--untracked-files=no")).toBe("");
      answering("of-the-helper");
      expect((await propose(forge)).stderr).toContain(`To merge: https://github.com/${repository}/pull/1`);
      expect(git("-C", origin, "branch", "--list", "infrasync/*")).not.toBe("");
    },
  );

  test("refuses without a token, before anything is written", async () => {
    const { code, stderr } = await propose({ INFRASYNC_GIT_HOST_API: "https://api.github.com" });
    expect([code, stderr]).toEqual([3, expect.stringContaining("no token for the Git host is set")]);
    expect(git("status", "--porcelain", "--untracked-files=no")).toBe("");
  });

  test("refuses a file with uncommitted changes, and names an unknown forge", async () => {
    const text = await readFile(join(fixture.folder, "production.vars.yaml"), "utf8");
    await fixture.write("production.vars.yaml", `${text}# mine\n`);
    const { stderr } = await propose({ INFRASYNC_GIT_HOST_TOKEN: gitHostToken });
    expect(stderr).toContain("files to change have uncommitted changes");
    expect(stderr).toContain("name its API with INFRASYNC_GIT_HOST_API");
  });

  test("reports an unreachable forge, and restores the files", async () => {
    const forge = { INFRASYNC_GIT_HOST_API: "http://127.0.0.1:9", INFRASYNC_GIT_HOST_TOKEN: gitHostToken };
    const { code, stderr } = await propose(forge);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/cannot be opened: GitHub \(http:\/\/127\.0\.0\.1:9\) cannot be reached/),
    ]);
    expect(git("status", "--porcelain", "--untracked-files=no")).toBe("");
  });
});

test("dump --update takes the name of an environment, and writes into its last source", async () => {
  await run("apply", "--all", "--yes");
  const declared = (memory: number) => overlay("${ENVIRONMENT}", memory);
  await fixture.write("overlays/production/report.yaml", declared(900));
  expect((await run("dump", "--update", "production", "--yes")).code).toBe(0);
  const text = await readFile(join(fixture.folder, "overlays/production/report.yaml"), "utf8");
  expect(text).toBe(declared(1024));
  expect((await run("dump", "--update", "staging", "--update", "production", "--yes")).stderr).toContain(
    "--update names several environments",
  );
});

test("destroy ADDRESS lets no source take the place of the environments, whose manifests protect", async () => {
  await fixture.write("infrasync.config.yaml", settings.replace("    protect: [shop/production/**]\n", ""));
  await fixture.write(
    "overlays/production/protected.yaml",
    "kind: Environment\nproject: shop\nname: production\nmanage: { protect: true }\n",
  );
  await run("apply", "--all", "--yes");
  await fixture.takeRequests();
  expect(await run("destroy", "shop/production", "staging", "--yes")).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("staging cannot be combined with an address"),
  });
  expect(await run("destroy", "shop/production", "--yes")).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("protected by manage.protect of environment:shop/production"),
  });
  expect(writesOf(await fixture.takeRequests())).toEqual([]);
});

test("destroy keeps resources that other environments declare too", async () => {
  await run("apply", "--all", "--yes");
  const { stdout, stderr } = await run("destroy", "staging", "--yes", "--max-deletes", "10,100%");
  expect(stderr).toContain("other environments declare these too, so they stay: project:shop");
  expect(stdout).toContain("Done: 2 deleted.");
  expect((await run("plan", "production")).stdout).toContain("No changes");
});

test("a plan against a reference uses the settings file of that commit", async () => {
  git("init", "--quiet");
  git("add", ".");
  git("-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "--quiet", "--message", "before");
  await fixture.write("infrasync.config.yaml", settings.replace("1.10", "1.11"));
  const { stdout } = await fixture.run(["plan", "staging", "--base", "HEAD", "--config", settingsFile()], {
    env: { PATH: process.env["PATH"] },
  });
  expect(stdout).toMatch(/Changes of these manifests[^]*Job shop\/staging\/report/);
});

test.each<[string, string[], string, string]>([
  [
    "no argument",
    ["plan"],
    settings,
    "no environment is named; the settings file declares staging, production",
  ],
  ["a misspelt one", ["plan", "stagin"], settings, "did you mean staging?"],
  [
    "one beside a folder",
    ["plan", "staging", "project"],
    settings,
    "staging is an environment, and project is not",
  ],
  ["one named twice", ["plan", "staging", "staging"], settings, "staging is named twice"],
  ["--all beside one", ["plan", "--all", "staging"], settings, "--all cannot be combined with sources"],
  ["--all without any", ["plan", "--all"], "organization: acme\n", "and there are none"],
  [
    "a path above",
    ["validate", "a"],
    "environments: { a: { sources: [../base] } }\n",
    "not below the folder of the settings file",
  ],
  [
    "an absolute path",
    ["validate", "a"],
    "environments: { a: { sources: [/etc] } }\n",
    "not below the folder of the settings file",
  ],
  ["no sources", ["validate", "a"], "environments: { a: {} }\n", "environments.a.sources is missing"],
  [
    "a text for a list",
    ["validate", "a"],
    "environments: { a: { sources: base } }\n",
    "environments.a.sources must be a list",
  ],
  [
    "an unknown member",
    ["validate", "a"],
    "environments: { a: { sources: [base], variables: {} } }\n",
    'environments.a has no member "variables"',
  ],
  [
    "a name of a variable",
    ["validate", "a"],
    "environments: { a: { sources: [base], vars: { a-b: 1 } } }\n",
    "environments.a.vars.a-b is not a valid name of a variable",
  ],
  [
    "a list as a value",
    ["validate", "a"],
    "environments: { a: { sources: [base], vars: { A: [1] } } }\n",
    "vars.A is not a text, a number, true or false",
  ],
  [
    "a pattern",
    ["validate", "a"],
    'environments: { a: { sources: [base], protect: ["nothing:x"] } }\n',
    "which is not a kind",
  ],
  ["a list of environments", ["validate", "a"], "environments: [a]\n", "environments must be a mapping"],
  [
    "a name with a slash",
    ["validate", "--all"],
    "environments: { a/b: { sources: [base] } }\n",
    "contains characters that an argument cannot have",
  ],
])("%s is refused before anything is sent", async (_what, args, content, message) => {
  await fixture.write("infrasync.config.yaml", content);
  const { stderr, code: exitCode } = await run(...args);
  expect(exitCode).toBe(3);
  expect(stderr).toContain(message);
  expect(stderr.split(message)).toHaveLength(2);
  expect(await fixture.takeRequests()).toEqual([]);
});

test.each(["validate", "render", "plan", "status"])(
  "%s reads no source and no variable file through a link that leads out of the folder of the settings file",
  async (command) => {
    const outside = temporaryFolder("outside");
    await writeFile(join(outside, "x.yaml"), "outside text\n");
    await symlink(outside, join(fixture.folder, "dirlink"));
    await symlink(join(outside, "x.yaml"), join(fixture.folder, "vlink.yaml"));
    await symlink("base", join(fixture.folder, "inner"));
    await symlink("production.vars.yaml", join(fixture.folder, "inner.vars.yaml"));
    for (const [link, environment] of [
      ["dirlink", "sources: [dirlink]"],
      ["dirlink/x.yaml", "sources: [dirlink/x.yaml]"],
      ["vlink.yaml", "sources: [base], var_files: [vlink.yaml]"],
    ]) {
      await fixture.write("infrasync.config.yaml", `environments: { a: { ${environment} } }\n`);
      const { code, stdout, stderr } = await run(command, "a");
      expect(code, link).toBe(3);
      expect(stderr).toContain(`error: ${link} is a symbolic link that leaves the folder`);
      expect(stdout + stderr).not.toContain("outside text");
    }
    const inside = "environments: { a: { sources: [project, inner], var_files: [inner.vars.yaml] } }\n";
    await fixture.write("infrasync.config.yaml", inside);
    expect((await run(command, "a")).stderr).not.toContain("symbolic link");
  },
);

test("dump takes the name of an environment of the settings file, for Pulumi imports too", async () => {
  await run("apply", "staging", "--yes");
  const { stdout } = await run("dump", "staging", "--format", "pulumi-import");
  expect(JSON.parse(stdout)).toEqual({
    resources: [
      { type: "infrasync:index:Environment", name: "staging", id: "shop/staging" },
      { type: "infrasync:index:Job", name: "report", id: "shop/staging/report" },
    ],
  });
  expect(await run("dump", "staging", "--var", "TAG=2.0")).toMatchObject({ code: 0 });
  expect(await run("dump", "shop", "--var", "TAG=2.0")).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("--var needs --update"),
  });
});

/** The commands that take the address of an environment, with what else they need. */
const takingAddresses: [command: string, ...before: string[]][] = [
  ["status"],
  ["dump"],
  ["get"],
  ["list"],
  ["logs"],
  ["history"],
  ["deploy"],
  ["restart"],
  ["cancel"],
  ["stop", "--yes"],
  ["rollback", "--yes"],
  ["clone", "job:shop/staging/report", "--name", "more", "--yes", "--to"],
];

test("every command that takes an address takes the name of an environment of the settings file, or names the one that is meant", async () => {
  await run("apply", "staging", "--yes");
  // The name of the settings file is another than that on the server.
  await fixture.write("infrasync.config.yaml", settings.replaceAll(/^  staging:/gm, "  review:"));
  for (const [command, ...before] of takingAddresses) {
    const { stderr } = await run(command, ...before, "reviw");
    expect({ command, stderr }).toMatchObject({
      stderr: expect.stringContaining("did you mean review, an environment of the settings file?") as string,
    });
    const named = await run(command, ...before, "review");
    expect({ command, out: named.stdout + named.stderr }).toMatchObject({
      out: expect.stringMatching(/staging/) as string,
    });
  }
});

test("promote tells of wrong environments, each of them, before it tells of a missing approval", async () => {
  const { code, stderr } = await run("promote", "stagng", "prodution");
  expect(code).toBe(3);
  expect(stderr).toContain("did you mean staging?");
  expect(stderr).toContain("did you mean production?");
  expect(stderr).not.toContain("--yes");
  expect((await run("promote", "staging", "production")).stderr).toContain("add --yes");
});
