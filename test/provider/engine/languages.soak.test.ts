import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { execFile } from "node:child_process";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test, type TestContext } from "vitest";
import { EngineMissingError } from "../../../tools/pulumi/engine.ts";
import { languageFolder, pythonFolder, writeSdk } from "../../../tools/pulumi/languages.ts";
import { nothing, start } from "./shop.ts";

const run = promisify(execFile);
const checkout = path.join(import.meta.dirname, "..", "..", "..");
const examples = path.join(checkout, "examples", "pulumi");
const progress = (line: string) => process.stderr.write(`${line}\n`);

/** What a language needs beside the engine; skips the test where that is missing, but not in continuous integration. */
async function needed<Found>(context: TestContext, find: () => Promise<Found>): Promise<Found> {
  try {
    return await find();
  } catch (error) {
    if (!(error instanceof EngineMissingError) || process.env["CI"] === "true") throw error;
    return context.skip(error.message);
  }
}

/** An SDK of a language in a folder of its own. */
async function sdk(context: TestContext, language: "nodejs" | "python" | "go", languages: string) {
  const folder = await mkdtemp(path.join(tmpdir(), "infrasync-sdk-"));
  context.onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeSdk(languages, language, folder);
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

test("the example in TypeScript runs with the SDK that Pulumi's generator makes", async (context) => {
  const languages = await needed(context, () => languageFolder(progress));
  const source = await sdk(context, "nodejs", languages);
  // As its `npm run build` does: Node does not strip types below node_modules.
  const built = path.join(source, "bin");
  await mkdir(path.join(source, "node_modules", "@pulumi"), { recursive: true });
  await cp(path.join(checkout, "node_modules", "@types"), path.join(source, "node_modules", "@types"), {
    recursive: true,
  });
  await run("ln", [
    "-s",
    path.join(checkout, "node_modules", "@pulumi", "pulumi"),
    path.join(source, "node_modules", "@pulumi", "pulumi"),
  ]);
  const tsc = path.join(checkout, "node_modules", "typescript", "bin", "tsc");
  const flags = [
    "--outDir",
    built,
    "--skipLibCheck",
    "--ignoreDeprecations",
    "6.0",
    "--noEmitOnError",
    "false",
  ];
  await run(process.execPath, [tsc, "--project", source, ...flags]);
  await cp(path.join(source, "package.json"), path.join(built, "package.json"));
  await expectExample(context, "typescript", {
    packages: { "@infrasync/pulumi": built },
    program: await textOf("typescript", "index.ts"),
  });
});

test("the example in Python runs with the SDK that Pulumi's generator makes", async (context) => {
  const languages = await needed(context, () => languageFolder(progress));
  const python = await needed(context, () => pythonFolder(progress));
  const source = await sdk(context, "python", languages);
  const installed = path.join(source, "installed");
  const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
  const target = ["--no-deps", "--no-build-isolation", "--target", installed, source];
  await run(path.join(python, "python3"), [...pip, ...target]);
  await expectExample(context, "python", {
    files: { "__main__.py": await textOf("python", "__main__.py") },
    environment: (folders) => ({
      PATH: [python, languages, folders].join(path.delimiter),
      PYTHONPATH: installed,
      PYTHONDONTWRITEBYTECODE: "true",
    }),
  });
});

test("the example in Go runs with the SDK that Pulumi's generator makes", async (context) => {
  const languages = await needed(context, () => languageFolder(progress));
  const source = path.join(await sdk(context, "go", languages), "infrasync");
  await writeFile(
    path.join(source, "go.mod"),
    "module example.com/pulumi-infrasync/sdk/go/infrasync\n\ngo 1.25\n",
  );
  const module = (await textOf("go", "go.mod")).replace("../sdk/go/infrasync", source);
  await expectExample(context, "go", {
    files: {
      "main.go": await textOf("go", "main.go"),
      "go.mod": module,
      "go.sum": await textOf("go", "go.sum"),
    },
    environment: (folders) => ({
      PATH: [languages, folders].join(path.delimiter),
      CGO_ENABLED: "0",
      GOWORK: "off",
      GOFLAGS: "-mod=mod",
    }),
  });
});
