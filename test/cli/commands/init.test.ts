import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { Ajv } from "ajv";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { runCommandLine } from "../command-line.ts";
import { application, cronJob, shop } from "../../fixtures/manifests.ts";
import { Captured, documentOf } from "../captured.ts";
import { useFixture, writesOf } from "../fixture.ts";

const fixture = useFixture();

const at = (...path: string[]) => join(fixture.folder, "infra", ...path);
const textOf = (...path: string[]) => readFile(at(...path), "utf8");
const init = (...args: string[]) => fixture.run(["init", at(), ...args]);

test("in an empty organization, init writes a first manifest, which applies", async () => {
  const { code, stdout, stderr } = await init("--ci", "github");
  // The organization has clusters and the like; what is not of this test is left out here.
  const shown = stdout.replaceAll(/^ {2}infra\/manifests\/(?!my-project).*\n/gm, "");
  expect({ code, stdout: shown }).toEqual({
    code: 0,
    stdout: `Written:
  infra/infrasync.config.yaml
  infra/.schemas/manifest.schema.json
  infra/.schemas/settings.schema.json
  infra/manifests/my-project.yaml
  infra/.github/workflows/infrasync.yaml
  infra/.gitignore
`,
  });
  expect(stderr).toContain(
    "infra/manifests/my-project.yaml is one to begin with: choose other names in it, or delete it.",
  );
  expect(stderr).toContain("infrasync plan infra/manifests\n");
  expect(writesOf(await fixture.takeRequests())).toEqual([]);
  expect(await fixture.run(["validate", at("manifests")])).toMatchObject({ code: 0 });
  expect(await fixture.run(["apply", at("manifests"), "--yes"])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("Done: 2 created."),
  });
  expect(await fixture.run(["plan", at("manifests"), "--detailed-exitcode"])).toMatchObject({ code: 0 });
});

test("live resources become manifests that plan as no changes", async () => {
  await fixture.write(
    "before/shop.yaml",
    shop + cronJob("nightly", "max_duration_seconds: 60\n") + application("api"),
  );
  expect(await fixture.run(["apply", join(fixture.folder, "before"), "--yes"])).toMatchObject({ code: 0 });
  await fixture.takeRequests();
  const { code, stderr } = await init();
  expect(code).toBe(0);
  expect(stderr).toContain("Organization acme: the manifests describe 4 resources.");
  expect(writesOf(await fixture.takeRequests())).toEqual([]);
  const plan = await fixture.run(["plan", at("manifests"), "--detailed-exitcode"]);
  expect(plan).toMatchObject({ code: 0, stdout: expect.stringContaining("No changes: 4 resources") });
  const job = await textOf("manifests", "shop", "staging", "job-nightly.yaml");
  expect(job).toMatch(
    /^# yaml-language-server: \$schema=\.\.\/\.\.\/\.\.\/\.schemas\/manifest\.schema\.json\n/,
  );
  expect(parse(await textOf(".schemas", "manifest.schema.json"))).toHaveProperty("definitions");
});

test("the settings name the server and the organization, and no file has the token", async () => {
  await init("--ci", "gitlab");
  expect(parse(await textOf("infrasync.config.yaml"))).toEqual({
    base_url: fixture.emulator.url,
    organization: "acme",
  });
  // An editor that follows the first line finds the schema, and the schema accepts the file.
  const [, schema = "none"] =
    /^# yaml-language-server: \$schema=(\S+)\n/.exec(await textOf("infrasync.config.yaml")) ?? [];
  const accepts = new Ajv({ allowUnionTypes: true }).compile(JSON.parse(await textOf(schema)) as object);
  expect(accepts(parse(await textOf("infrasync.config.yaml")))).toBe(true);
  const files = await readdir(at(), { recursive: true, withFileTypes: true });
  for (const file of files.filter((each) => each.isFile()))
    expect(await readFile(join(file.parentPath, file.name), "utf8")).not.toContain(
      fixture.emulator.tokens.admin,
    );
});

test("the files for CI plan before the merge, and apply after it what was reviewed", async () => {
  await init("--ci", "github");
  const { env, jobs } = parse(await textOf(".github", "workflows", "infrasync.yaml")) as {
    env: object;
    jobs: Record<string, { steps: { run?: string }[] }>;
  };
  const runs = (job: string) => jobs[job]?.steps.flatMap(({ run }) => run ?? []);
  expect(runs("plan")).toEqual([expect.stringMatching(/^npx --yes infrasync@\d\S+ ci plan manifests$/)]);
  expect(runs("apply")).toEqual([expect.stringMatching(/^npx --yes infrasync@\d\S+ ci apply manifests$/)]);
  expect(env).toMatchObject({ INFRASYNC_BASE_URL: fixture.emulator.url });
  await init("--ci", "gitlab");
  expect(parse(await textOf(".gitlab-ci.yml"))).toMatchObject({
    plan: { script: [expect.stringContaining("ci plan manifests")] },
    apply: { script: [expect.stringContaining("ci apply manifests")] },
  });
});

test("files that exist stay as they are; .gitignore gets the lines that it lacks", async () => {
  await fixture.write("infra/infrasync.config.yaml", "# mine\norganization: acme\n");
  await fixture.write("infra/.gitignore", "node_modules\nplan.json");
  const { code, stdout } = await init("--organization-documents");
  expect(code).toBe(0);
  expect(stdout).toContain("Left as they were:\n  infra/infrasync.config.yaml\n");
  expect(await textOf("infrasync.config.yaml")).toBe("# mine\norganization: acme\n");
  expect(await textOf(".gitignore")).toBe("node_modules\nplan.json\n.env\n*.token\n");
  const again = await init("--organization-documents", "--output", "json");
  expect(documentOf(again)).toMatchObject({ ok: true, files: [] });
  expect(documentOf(again)["kept"]).toHaveLength(17);
});

test("without a URL and without a terminal, nothing is written", async () => {
  const { code, stderr } = await fixture.run(["init", at()], { env: { INFRASYNC_BASE_URL: undefined } });
  expect({ code, stderr }).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("the URL of the API is not set"),
  });
  await expect(readdir(at())).rejects.toThrow("ENOENT");
});

test("at a terminal, init asks for the URL and for the file of CI", async () => {
  const stdin: PassThrough & { isTTY?: boolean } = new PassThrough();
  stdin.isTTY = true;
  const stderr = new Captured(100);
  const answers: [question: string, answer: string][] = [
    ["URL of the API: ", fixture.emulator.url],
    ["File for CI: github, gitlab, none [none]: ", "y"],
    ["File for CI: github, gitlab, none [none]: ", "gitlab"],
  ];
  stderr.onText = (text) => {
    const [next] = answers;
    if (!next || !text.includes(next[0])) return;
    answers.shift();
    setImmediate(() => stdin.write(`${next[1]}\n`));
  };
  const code = await runCommandLine(["init", at()], {
    stdin,
    stdout: new Captured(),
    stderr,
    env: { INFRASYNC_TOKEN: fixture.emulator.tokens.read },
    signal: new AbortController().signal,
  });
  expect(code, stderr.text).toBe(0);
  expect(parse(await textOf("infrasync.config.yaml"))).toMatchObject({ base_url: fixture.emulator.url });
  expect(await textOf(".gitlab-ci.yml")).toContain("plan manifests");
  expect(stderr.text).toContain('There is no file for "y".');
});

test("at a terminal, init asks nothing before it has a token", async () => {
  const stdin: PassThrough & { isTTY?: boolean } = new PassThrough();
  stdin.isTTY = true;
  const stderr = new Captured(100);
  const signal = new AbortController().signal;
  const code = await runCommandLine(["init", at()], {
    stdin,
    stdout: new Captured(),
    stderr,
    env: {},
    signal,
  });
  expect(code).toBe(3);
  expect(stderr.text).toContain("no token is set");
  expect(stderr.text).not.toContain("URL of the API: ");
});

test("a file in place of the folder is a mistake", async () => {
  const { code, stderr } = await fixture.run(["init", await fixture.write("taken", "")]);
  expect({ code, stderr }).toEqual({
    code: 3,
    stderr: expect.stringContaining("taken is not a folder\n  name the folder"),
  });
});
