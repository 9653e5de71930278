import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { execFile } from "node:child_process";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test, type TestContext } from "vitest";
import { EngineMissingError } from "../../../tools/pulumi/engine.ts";
import { languageFolder, pythonFolder } from "../../../tools/pulumi/languages.ts";
import { writeSdks } from "../../../tools/pulumi/sdks.ts";
import { nothing, start } from "./shop.ts";
import { examples, makeProject } from "./template.ts";

const run = promisify(execFile);
const checkout = path.join(import.meta.dirname, "..", "..", "..");
const progress = (line: string) => process.stderr.write(`${line}\n`);

/** The archives of the SDKs, as they are published. */
let archives = "";
let missing: EngineMissingError | undefined;

beforeAll(async () => {
  archives = await mkdtemp(path.join(tmpdir(), "infrasync-sdks-"));
  try {
    await writeSdks(archives, progress);
  } catch (error) {
    if (!(error instanceof EngineMissingError) || process.env["CI"] === "true") throw error;
    missing = error;
  }
}, 900_000);
afterAll(() => rm(archives, { recursive: true, force: true }));

/** The archive of a language; skips the test where it could not be made. */
async function archiveOf(context: TestContext, registry: "npm" | "pypi"): Promise<string> {
  if (missing) context.skip(missing.message);
  const [file = ""] = await readdir(path.join(archives, registry));
  return path.join(archives, registry, file);
}

/** A folder of a test. */
async function scratch(context: TestContext): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "infrasync-sdk-"));
  context.onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs the example of a language: a preview, up, no changes, an update by hand, and destroy. */
async function expectExample(
  context: TestContext,
  language: string,
  {
    program,
    files = {},
    packages,
    environment,
  }: {
    /** Text of `index.ts`. */
    program?: string;
    files?: Record<string, string>;
    packages?: Record<string, string>;
    /** @param folders the PATH without the programs of the language */
    environment?: (folders: string) => Record<string, string>;
  } = {},
): Promise<void> {
  const { server, stack } = await start(context, "", {}, undefined, packages && { packages });
  const folder = path.join(examples, language);
  const project = await readFile(path.join(folder, "Pulumi.yaml"), "utf8");
  await stack.write("Pulumi.yaml", project.replace("../node_modules", "node_modules"));
  if (program !== undefined) await stack.rewrite(program, "index.ts");
  for (const [name, text] of Object.entries(files)) await stack.write(name, text);
  Object.assign(stack.environment, environment?.(stack.path));
  // The stack of the tests belongs to a project of another name.
  expect(await stack.shell("pulumi stack init dev", "")).toMatchObject({ exitCode: 0 });
  const up = await stack.up();
  expect(up, up.stdout + up.stderr).toMatchObject({
    exitCode: 0,
    errors: [],
    steps: ["create Project shop", "create Environment staging", "create Job nightly"],
  });
  expect(up.stdout).toMatch(/jobType *: "CRON"/);
  expect([...(await server.everything()).keys()]).toEqual([
    `shop-${language}`,
    `shop-${language}/staging`,
    `shop-${language}/staging/JOB nightly`,
  ]);
  expect(await stack.preview("--refresh")).toMatchObject(nothing);
  expect(await stack.destroy()).toMatchObject({ exitCode: 0, errors: [] });
  expect((await server.everything()).size).toBe(0);
}

const textOf = (language: string, file: string) => readFile(path.join(examples, language, file), "utf8");

test("the example in YAML runs", async (context) => {
  await expectExample(context, "yaml");
});

test("the example in TypeScript compiles and runs with the package for npm", async (context) => {
  const archive = await archiveOf(context, "npm");
  const folder = await scratch(context);
  const installed = path.join(folder, "node_modules", "@infrasync", "pulumi");
  await mkdir(installed, { recursive: true });
  await run("tar", ["-xzf", archive, "-C", installed, "--strip-components", "1"]);
  for (const name of ["@pulumi", "@types"])
    await symlink(path.join(checkout, "node_modules", name), path.join(folder, "node_modules", name));
  const program = await textOf("typescript", "index.ts");
  await writeFile(path.join(folder, "index.ts"), program);
  await writeFile(path.join(folder, "package.json"), '{ "type": "module" }');
  const tsc = path.join(checkout, "node_modules", "typescript", "bin", "tsc");
  const flags = ["--noEmit", "--strict", "--module", "nodenext", "--skipLibCheck", "index.ts"];
  await run(process.execPath, [tsc, ...flags], { cwd: folder });
  await writeFile(path.join(folder, "index.ts"), program.replace("environment: staging.id,", ""));
  await expect(run(process.execPath, [tsc, ...flags], { cwd: folder })).rejects.toMatchObject({
    stdout: expect.stringContaining("Property 'environment' is missing"),
  });
  await expectExample(context, "typescript", { packages: { "@infrasync/pulumi": installed }, program });
});

test("the example in Python runs with the wheel", async (context) => {
  const archive = await archiveOf(context, "pypi");
  const [languages, python] = await Promise.all([languageFolder(progress), pythonFolder(progress)]);
  const installed = await scratch(context);
  const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
  await run(path.join(python, "python3"), [
    ...pip,
    "--no-deps",
    "--no-index",
    "--target",
    installed,
    archive,
  ]);
  await expectExample(context, "python", {
    files: { "__main__.py": await textOf("python", "__main__.py") },
    environment: (folders) => ({
      PATH: [python, languages, folders].join(path.delimiter),
      PYTHONPATH: installed,
      PYTHONDONTWRITEBYTECODE: "true",
    }),
  });
});

test("the example in Go compiles and runs with the module of a proxy", async (context) => {
  if (missing) context.skip(missing.message);
  const languages = await languageFolder(progress);
  await forgetModule();
  const compiled = (await run("go", ["env", "GOCACHE"])).stdout.trim();
  context.onTestFinished(forgetModule);
  await expectExample(context, "go", {
    files: Object.fromEntries(
      await Promise.all(
        ["main.go", "go.mod", "go.sum"].map(async (file) => [file, await textOf("go", file)] as const),
      ),
    ),
    environment: (folders) => ({
      PATH: [languages, folders].join(path.delimiter),
      CGO_ENABLED: "0",
      GOCACHE: compiled,
      GOWORK: "off",
      GOFLAGS: "-mod=mod",
      GOPROXY: `file://${path.join(archives, "go")},https://proxy.golang.org,direct`,
      GONOSUMDB: "example.com/*",
    }),
  });
});

test.for(["go", "python"])("pulumi new makes a project from the example in %s", async (example, context) => {
  const { stack } = await start(context, "");
  const languages = await languageFolder(progress);
  stack.environment["PATH"] = [languages, stack.path].join(path.delimiter);
  await makeProject(stack, example);
});

/** Go keeps a version of a module for ever. */
async function forgetModule(): Promise<void> {
  const cache = (await run("go", ["env", "GOMODCACHE"])).stdout.trim();
  for (const folder of [cache, path.join(cache, "cache", "download")]) {
    const own = path.join(folder, "example.com", "infrasync");
    // Go makes what it keeps read-only.
    await run("chmod", ["-R", "-f", "u+w", own]).catch(() => undefined);
    await rm(own, { recursive: true, force: true });
  }
}
