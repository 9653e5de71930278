import { createHash } from "node:crypto";
import { chmod, readFile, readdir } from "node:fs/promises";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { PassThrough } from "node:stream";
import { promisify } from "node:util";
import { Ajv } from "ajv";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { installation } from "../../../cli/commands/init/package.ts";
import { runCommandLine } from "../command-line.ts";
import { application, cronJob, shop } from "../../fixtures/manifests.ts";
import { Captured, documentOf } from "../captured.ts";
import { useFixture, writesOf } from "../fixture.ts";

const fixture = useFixture();

const at = (...path: string[]) => join(fixture.folder, "infra", ...path);
const textOf = (...path: string[]) => readFile(at(...path), "utf8");
const scoped = "@acme/infrasync@0.1.0";
const digest = createHash("sha512").update("the package").digest();
const tarball = `https://packages.example.com/infrasync-0.1.0.tgz#sha512-${digest.toString("base64")}`;
const init = (...args: string[]) => fixture.run(["init", at(), ...args]);

test("in an empty organization, init writes a first manifest, which applies", async () => {
  const { code, stdout, stderr } = await init("--ci", "github", "--package", scoped);
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
  const { code, stderr } = await init("--ci", "github", "--package", scoped);
  expect(code).toBe(0);
  expect(stderr).toContain("Organization acme: the manifests declare 4 resources.");
  expect(writesOf(await fixture.takeRequests())).toEqual([]);
  const plan = await fixture.run(["plan", at("manifests"), "--detailed-exitcode"]);
  expect(plan).toMatchObject({ code: 0, stdout: expect.stringContaining("No changes to make: 4 resources") });
  const job = await textOf("manifests", "shop", "staging", "job-nightly.yaml");
  expect(job).toMatch(
    /^# yaml-language-server: \$schema=\.\.\/\.\.\/\.\.\/\.schemas\/manifest\.schema\.json\n/,
  );
  expect(parse(await textOf(".schemas", "manifest.schema.json"))).toHaveProperty("definitions");
});

test("the settings name the server and the organization, and no file has the token", async () => {
  await init("--ci", "gitlab", "--package", tarball);
  expect(parse(await textOf("infrasync.config.yaml"))).toEqual({
    base_url: fixture.emulator.url,
    organization: "acme",
  });
  expect(await textOf("infrasync.config.yaml")).toContain("# deploy: true\n# wait: true\n");
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
  await init("--ci", "github", "--package", scoped);
  const { env, jobs } = parse(await textOf(".github", "workflows", "infrasync.yaml")) as {
    env: object;
    jobs: Record<string, { env?: object; steps: { run?: string; env?: object }[] }>;
  };
  expect(env).toEqual({ INFRASYNC_BASE_URL: fixture.emulator.url });
  for (const [job, token] of Object.entries({ plan: "READ", apply: "WRITE" })) {
    expect(jobs[job]?.env).toBeUndefined();
    expect(jobs[job]?.steps.slice(2)).toEqual([
      // Each job has a cache of its own: one that reads cannot fill that of one that writes.
      {
        uses: expect.stringMatching(/^actions\/cache@[0-9a-f]{40}$/),
        with: {
          path: "~/.cache/infrasync/parts",
          key: `infrasync-${job}-\${{ github.run_id }}`,
          "restore-keys": `infrasync-${job}-`,
        },
      },
      { run: `npm install --global --ignore-scripts ${scoped}\n` },
      {
        run: `infrasync ci ${job} manifests`,
        env: {
          INFRASYNC_TOKEN: `\${{ secrets.INFRASYNC_${token}_TOKEN }}`,
          INFRASYNC_GIT_HOST_TOKEN: "${{ github.token }}",
        },
      },
    ]);
  }
  await init("--ci", "gitlab", "--package", tarball);
  expect(parse(await textOf(".gitlab-ci.yml"))).toMatchObject({
    default: {
      cache: { key: "infrasync-$CI_JOB_NAME", paths: [".infrasync-cache"] },
      before_script: [expect.stringContaining(`echo "${digest.toString("hex")}  $file" | sha512sum`)],
    },
    plan: { script: [expect.stringContaining(" infrasync ci plan manifests")] },
    apply: { script: [expect.stringContaining(" infrasync ci apply manifests")] },
  });
});

test.each([
  [
    "no package",
    [],
    "no registry has infrasync yet, so the file for CI has to say which package it installs",
  ],
  ["a name without a scope", ["--package", "infrasync@0.1.0"], "is neither a tarball with its integrity nor"],
  [
    "a range of versions",
    ["--package", "@acme/infrasync@^0.1.0"],
    "is neither a tarball with its integrity nor",
  ],
  ["no version", ["--package", "@acme/infrasync"], "is neither a tarball with its integrity nor"],
  ["no integrity", ["--package", tarball.replace(/#.*/, "")], "is neither a tarball with its integrity nor"],
  [
    "half of an integrity",
    ["--package", tarball.slice(0, -9)],
    "is neither a tarball with its integrity nor",
  ],
  ["http", ["--package", tarball.replace("https", "http")], "is neither a tarball with its integrity nor"],
  [
    "a password",
    ["--package", tarball.replace("//", "//me:word@")],
    "contains a user or a password, and the file for CI would show it",
  ],
])("a file for CI with %s is refused before a request is sent", async (_name, args, message) => {
  const { code, stderr } = await init("--ci", "github", ...args);
  expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining(message) });
  expect(stderr).toContain("--package URL#sha512-…");
  expect(stderr).not.toContain("word@");
  expect(await fixture.takeRequests()).toEqual([]);
  await expect(readdir(at())).rejects.toThrow("ENOENT");
});

test("a package without a file for CI is refused", async () => {
  expect(await init("--package", scoped)).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("add --ci github or --ci gitlab, or leave out --package"),
  });
});

test("a job installs the tarball if it is the one of the integrity, and nothing else", async () => {
  const served = createServer((_request, response) => response.end("the package"));
  onTestFinished(() => void served.close());
  await once(served.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(served.address() as AddressInfo).port}/infrasync-0.1.0.tgz`;
  const npm = await fixture.write("bin/npm", '#!/bin/sh\necho "npm $*: $(cat "$4")"\n');
  await chmod(npm, 0o755);
  const install = (hex: string) =>
    promisify(execFile)(
      "bash",
      ["-e", "-c", installation({ url, algorithm: "sha512", digest: hex }).join("\n")],
      { env: { PATH: `${dirname(npm)}:${process.env["PATH"] ?? ""}` } },
    );
  expect((await install(digest.toString("hex"))).stdout).toMatch(
    /^\S+\.tgz: OK\nnpm install --global --ignore-scripts \S+\.tgz: the package\n$/,
  );
  await expect(install("0".repeat(128))).rejects.toMatchObject({
    code: 1,
    stdout: expect.not.stringContaining("npm"),
  });
});

test("init --dry-run names the files and writes none, and --yes asks nothing", async () => {
  const { code, stdout } = await init("--dry-run");
  expect(code).toBe(0);
  expect(stdout).toContain("Would be written:\n  infra/infrasync.config.yaml\n");
  await expect(readdir(fixture.folder)).resolves.not.toContain("infra");
  const stdin: PassThrough & { isTTY?: boolean } = new PassThrough();
  stdin.isTTY = true;
  const stderr = new Captured(100);
  const io = { stdin, stdout: new Captured(), stderr, signal: new AbortController().signal };
  const { tokens, url } = fixture.emulator;
  const env = { INFRASYNC_TOKEN: tokens.read, INFRASYNC_BASE_URL: url };
  expect(await runCommandLine(["init", at(), "--yes"], { ...io, env }), stderr.text).toBe(0);
  expect(stderr.text).not.toContain("File for CI");
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
  expect(documentOf(again)["kept"]).toHaveLength(18);
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
    ["Package for CI: URL#sha512-… or @scope/name@version: ", "infrasync"],
    ["Package for CI: URL#sha512-… or @scope/name@version: ", scoped],
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
  expect(stderr.text).toContain("--package is neither a tarball with its integrity nor");
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
