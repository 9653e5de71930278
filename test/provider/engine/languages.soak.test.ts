import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { execFile } from "node:child_process";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test, type TestContext } from "vitest";
import { nameOfToken } from "../../../provider/plugin/types.ts";
import { EngineMissingError } from "../../../tools/pulumi/engine.ts";
import { examplePrograms } from "../../../tools/pulumi/programs/index.ts";
import { languageFolder, pythonFolder } from "../../../tools/pulumi/languages.ts";
import { writeSdks } from "../../../tools/pulumi/sdks.ts";
import { nothing, start } from "./shop.ts";
import { examples } from "./template.ts";

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

/** Installs the package for npm, as a program has it. @returns its folder */
async function installForNode(folder: string, archive: string): Promise<string> {
  const installed = path.join(folder, "node_modules", "@infrasync", "pulumi");
  await mkdir(installed, { recursive: true });
  await run("tar", ["-xzf", archive, "-C", installed, "--strip-components", "1"]);
  for (const name of ["@pulumi", "@types"])
    await symlink(path.join(checkout, "node_modules", name), path.join(folder, "node_modules", name));
  await writeFile(path.join(folder, "package.json"), '{ "type": "module" }');
  return installed;
}

async function compileForNode(folder: string, files: readonly string[]): Promise<void> {
  const tsc = path.join(checkout, "node_modules", "typescript", "bin", "tsc");
  const flags = ["--noEmit", "--strict", "--module", "nodenext", "--skipLibCheck"];
  await run(process.execPath, [tsc, ...flags, ...files], { cwd: folder });
}

async function installForPython(python: string, folder: string, archive: string): Promise<void> {
  const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
  const offline = ["--no-deps", "--no-index", "--target", folder, archive];
  await run(path.join(python, "python3"), [...pip, ...offline]);
}

/** The module for Go comes from the archives. */
const goEnvironment = () => ({
  CGO_ENABLED: "0",
  GOWORK: "off",
  GOFLAGS: "-mod=mod",
  GOPROXY: `file://${path.join(archives, "go")},https://proxy.golang.org,direct`,
  GONOSUMDB: "example.com/*",
});

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
  const installed = await installForNode(folder, archive);
  const program = await textOf("typescript", "index.ts");
  await writeFile(path.join(folder, "index.ts"), program);
  await compileForNode(folder, ["index.ts"]);
  await writeFile(path.join(folder, "index.ts"), program.replace("environment: staging.id,", ""));
  await expect(compileForNode(folder, ["index.ts"])).rejects.toMatchObject({
    stdout: expect.stringContaining("Property 'environment' is missing"),
  });
  await expectExample(context, "typescript", { packages: { "@infrasync/pulumi": installed }, program });
});

test("the example in Python runs with the wheel", async (context) => {
  const archive = await archiveOf(context, "pypi");
  const [languages, python] = await Promise.all([languageFolder(progress), pythonFolder(progress)]);
  const installed = await scratch(context);
  await installForPython(python, installed, archive);
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
      GOCACHE: compiled,
      ...goEnvironment(),
    }),
  });
});

/** Writes the example of every resource and function in a language into a folder. @returns the files */
async function writeExamples(folder: string, language: string, fileOf: (name: string) => string) {
  const files: string[] = [];
  for (const [token, programs] of examplePrograms()) {
    const file = path.join(folder, fileOf(nameOfToken(token)));
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, programs[language] ?? "");
    files.push(file);
  }
  return files;
}

test("the example of every resource and function compiles in TypeScript", async (context) => {
  const folder = await scratch(context);
  await installForNode(folder, await archiveOf(context, "npm"));
  const files = await writeExamples(folder, "typescript", (name) => `${name}.ts`);
  await compileForNode(folder, files);
});

test("the example of every resource and function runs in Python, with mocks of Pulumi", async (context) => {
  const archive = await archiveOf(context, "pypi");
  const [folder, python] = [await scratch(context), await pythonFolder(progress)];
  await installForPython(python, folder, archive);
  const files = await writeExamples(folder, "python", (name) => `${name}.py`);
  await writeFile(path.join(folder, "all.py"), pythonWithMocks);
  await run(path.join(python, "python3"), [path.join(folder, "all.py"), ...files], {
    env: { ...process.env, PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: "true" },
  });
});

test("the example of every resource and function compiles in Go", async (context) => {
  if (missing) context.skip(missing.message);
  const folder = await scratch(context);
  await forgetModule();
  context.onTestFinished(forgetModule);
  await writeExamples(folder, "go", (name) => path.join(name, "main.go"));
  for (const file of ["go.mod", "go.sum"]) await writeFile(path.join(folder, file), await textOf("go", file));
  await run("go", ["vet", "./..."], { cwd: folder, env: { ...process.env, ...goEnvironment() } });
});

/** Runs files without an engine: what is unknown, misspelt or of another sort is an error of the SDK. */
const pythonWithMocks = `
import runpy, sys
import pulumi

class Mocks(pulumi.runtime.Mocks):
    def new_resource(self, args):
        return [args.name + "_id", args.inputs]

    def call(self, args):
        return {}

pulumi.runtime.set_mocks(Mocks())
for file in sys.argv[1:]:
    runpy.run_path(file)
`;

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
