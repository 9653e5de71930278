import { mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, type TestContext } from "vitest";
import { nameOfToken } from "../../../provider/plugin/types.ts";
import { EngineMissingError } from "../../../tools/pulumi/engine.ts";
import { examplePrograms } from "../../../tools/pulumi/programs/index.ts";
import { writeSdks } from "../../../tools/pulumi/sdks.ts";
import { nothing, start } from "./shop.ts";
import { examples } from "./template.ts";
import { removeFolder } from "../../fixtures/remove-folder.ts";

export const progress = (line: string) => process.stderr.write(`${line}\n`);

/** The folder with the archives of the SDKs, as they are published. @returns it, where they could be made; else it skips the test */
export function useArchives(): (context: TestContext) => string {
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
  afterAll(() => removeFolder(archives));
  return (context) => {
    if (missing) context.skip(missing.message);
    return archives;
  };
}

/** A folder of a test. */
export async function scratch(context: TestContext): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "infrasync-sdk-"));
  context.onTestFinished(() => removeFolder(folder));
  return folder;
}

/** Runs the example of a language: a preview, up, no changes, an update by hand, and destroy. */
export async function expectExample(
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

/** A file of an example. */
export const textOf = (language: string, file: string) =>
  readFile(path.join(examples, language, file), "utf8");

/** Writes the example of every resource and function in a language into a folder. @returns the files */
export async function writeExamples(folder: string, language: string, fileOf: (name: string) => string) {
  const files: string[] = [];
  for (const [token, programs] of examplePrograms()) {
    const file = path.join(folder, fileOf(nameOfToken(token)));
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, programs[language] ?? "");
    files.push(file);
  }
  return files;
}
