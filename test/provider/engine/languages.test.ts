import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test, type TestContext } from "vitest";
import { EngineMissingError } from "../../../tools/pulumi/engine.ts";
import { goFolder, pythonFolder } from "../../../tools/pulumi/languages.ts";
import { javaClasspath } from "./java.ts";
import { expectExample, progress, scratch, textOf, useArchives, writeExamples } from "./example-programs.ts";

const run = promisify(execFile);
const checkout = path.join(import.meta.dirname, "..", "..", "..");
const archivesFor = useArchives();

/** The archive of a language. */
async function archiveOf(context: TestContext, registry: "npm" | "pypi"): Promise<string> {
  const folder = path.join(archivesFor(context), registry);
  const [file = ""] = await readdir(folder);
  return path.join(folder, file);
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
  const [languages, python] = await Promise.all([goFolder("languages", progress), pythonFolder(progress)]);
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

test("the example of every resource and function compiles in Java, with the sources of its SDK", async (context) => {
  const sdk = path.join(archivesFor(context), "java", "src", "main", "java");
  const classpath = await unlessMissing(context, javaClasspath(progress));
  const folder = await scratch(context);
  const files = await writeExamples(folder, "java", (name) => path.join(name, "App.java"));
  // Each example has a class App.
  for (const file of files)
    await writeFile(
      file,
      `package examples.${path.basename(path.dirname(file))};\n${await readFile(file, "utf8")}`,
    );
  const flags = ["-proc:none", "-d", path.join(folder, "classes"), "-cp", classpath, "-sourcepath", sdk];
  await run("javac", [...flags, ...files]);
});

/** Skips the test where a program or package cannot be had, but not in continuous integration. */
async function unlessMissing<Value>(context: TestContext, found: Promise<Value>): Promise<Value> {
  try {
    return await found;
  } catch (error) {
    if (!(error instanceof EngineMissingError) || process.env["CI"] === "true") throw error;
    return context.skip(error.message);
  }
}

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
