import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { expect } from "vitest";
import { parse } from "yaml";
import type { Stack } from "./stack.ts";

/** The examples, each of which is a template. */
export const examples = path.join(import.meta.dirname, "../../../examples/pulumi");

/** Runs commands in the folder of a stack, each of which has to succeed. */
export async function runAll(stack: Stack, commands: readonly string[]): Promise<void> {
  for (const command of commands) {
    const { exitCode, stdout, stderr } = await stack.shell(command, "");
    expect(exitCode, `${command}\n${stdout}${stderr}`).toBe(0);
  }
}

/** Makes a project from an example, in the folder `mine` of a stack. */
export async function makeProject(stack: Stack, example: string, flags = "--generate-only"): Promise<void> {
  const template = path.join(examples, example);
  // What pulumi asks for in a terminal. A folder without it becomes a project too, and asks for nothing.
  expect(parse(await readFile(path.join(template, "Pulumi.yaml"), "utf8"))).toMatchObject({
    template: {
      description: expect.any(String),
      config: {
        "infrasync:baseUrl": { description: expect.any(String) },
        "infrasync:token": { description: expect.any(String), secret: true },
      },
    },
  });
  const own = `--dir mine --name mine --description own --offline --yes ${flags}`;
  await runAll(stack, [`pulumi new '${template}' ${own}`]);
  const folder = path.join(stack.folder, "mine");
  expect(await readdir(folder)).toEqual(expect.arrayContaining(await readdir(template)));
  const project: unknown = parse(await readFile(path.join(folder, "Pulumi.yaml"), "utf8"));
  expect(project).toMatchObject({ name: "mine", description: "own" });
  expect(project).not.toHaveProperty("template");
}
