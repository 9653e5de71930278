import { cp, mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { EngineMissingError } from "../../../tools/pulumi/engine.ts";
import { goFolder } from "../../../tools/pulumi/languages.ts";
import { plugin } from "./front-ends.ts";
import { start } from "./shop.ts";

const page = path.join(import.meta.dirname, "../../../docs/reference/pulumi.md");

/** The program in YAML on the page. */
async function programOfPage(): Promise<string> {
  const [, text = ""] = /# file: yaml\/Pulumi\.yaml\n(.*?)```/s.exec(await readFile(page, "utf8")) ?? [];
  return text;
}

test("the program of the page is converted in its folder, and in another one that has the plugin or is named by an absolute path", async (context) => {
  const { stack } = await start(context, "", {}, plugin);
  const converter = await goFolder("converter", (line) => process.stderr.write(`${line}\n`)).catch(
    (error: unknown) => {
      if (!(error instanceof EngineMissingError) || process.env["CI"] === "true") throw error;
      return context.skip(error.message);
    },
  );
  stack.environment["PATH"] = [converter, stack.path].join(path.delimiter);
  const text = await programOfPage();
  expect(text).toContain("path: node_modules/.bin");
  // The language hosts that can be built here are too old to write programs: the form between two languages needs none.
  const convert = async (flags = "") =>
    stack.shell(`pulumi convert --from yaml --language pcl --generate-only ${flags}`, "");
  const converted = async (folder: string) => readFile(path.join(stack.folder, folder, "program.pp"), "utf8");

  await stack.write("Pulumi.yaml", text);
  expect(await convert()).toMatchObject({ exitCode: 0 });
  expect(await converted(".")).toContain('resource nightly "infrasync:index:Job"');
  // A type that the plugin does not have is left out, so its schema has been read.
  await stack.write("Pulumi.yaml", text.replace("infrasync:Job", "infrasync:Jobs"));
  expect((await convert()).stderr).toContain("undefined variable nightly");

  await stack.write("Pulumi.yaml", text);
  expect(await convert()).toMatchObject({ exitCode: 0 });
  const missing = await convert("--out empty");
  expect(missing.exitCode).not.toBe(0);
  expect(missing.stderr).toContain("no folder at path");
  await mkdir(path.join(stack.folder, "installed"));
  await cp(path.join(stack.folder, "node_modules"), path.join(stack.folder, "installed", "node_modules"), {
    recursive: true,
  });
  expect(await convert("--out installed")).toMatchObject({ exitCode: 0 });
  await stack.write("Pulumi.yaml", text.replace("path: ", `path: ${stack.folder}/`));
  expect(await convert("--out absolute")).toMatchObject({ exitCode: 0 });
  expect(await converted("absolute")).toBe(await converted("."));
});
