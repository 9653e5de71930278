import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { ReadVariableFile } from "../../core/manifests/manifest/index.ts";
import type { Problem } from "../../core/problems/problem.ts";
import { nearest } from "../../core/model/schema/suggest.ts";
import { isInside, leaves, unreadable } from "../../core/source/files.ts";
import { readFile } from "../../core/source/read.ts";
import { decodeText, tooLarge } from "../../core/source/text.ts";
import type { VariableFile } from "../../core/source/variable-file.ts";
import { assignedValue, nameForm, variableName, Variables } from "../../core/source/variables.ts";
import { escapeControl } from "../../core/values/text.ts";
import type { SourceFlags } from "../flags.ts";
import { isOutside } from "../settings/file.ts";
import type { EnvironmentSettings } from "../../core/source/environments.ts";
import type { Io } from "../terminal/io.ts";

const prefix = "INFRASYNC_VAR_";

/** Reads variables from `INFRASYNC_VAR_…`, settings, files and flags, the later ones first. No other variable gets into a manifest. */
export async function readVariables(
  { var: given = [], varFile: files = [] }: SourceFlags,
  { env, signal, localRepositories = true }: Io,
  environment?: EnvironmentSettings,
): Promise<{
  variables: Variables;
  problems: Problem[];
  files: ReadVariableFile[];
  /** Problems of `--var` flags that no manifest uses; call it after all manifests have been read. */
  unused(): Problem[];
}> {
  const problems: Problem[] = [];
  const values = new Map<string, string>();
  const named: { file: string; names: string[] }[] = [];
  const assigned = (name: string, text: string, where: string) => {
    const read = assignedValue(name, text);
    if ("value" in read) return [{ name, value: read.value }];
    problems.push({ code: "argument", ...read.mistake, message: `${where}: ${read.mistake.message}` });
    return [];
  };
  for (const [variable, text] of Object.entries(env)) {
    if (!variable.startsWith(prefix) || text === undefined) continue;
    for (const { name, value } of assigned(variable.slice(prefix.length), text, variable))
      values.set(name, value);
  }
  const readFiles = async (paths: readonly string[]) => {
    for (const file of paths) {
      const read = await readVariableFile(file, signal);
      problems.push(...read.problems);
      for (const [name, value] of read.values) values.set(name, value);
      named.push({ file, names: [...read.values.keys()] });
    }
  };
  if (environment) {
    await readFiles(environment.variableFiles);
    for (const [name, value] of environment.variables) values.set(name, value);
  }
  const committed = localRepositories ? [] : files.filter(leavesRepository);
  problems.push(...committed.map(leaves));
  await readFiles(files.filter((file) => !committed.includes(file)));
  const flags = given.flatMap((flag, index) => {
    const [, name = "", value = ""] = /^([^=]*)(?:=(.*))?$/s.exec(flag) ?? [];
    if (flag.includes("=") && variableName.test(name)) return assigned(name, value, "--var");
    problems.push({
      code: "argument",
      // Where the name should stand, a value may: nothing of it is shown.
      message: `--var "…"${given.length > 1 ? ` (number ${index + 1})` : ""} is not an assignment of a variable`,
      advice: flag.includes("=") ? nameForm : "write --var NAME=VALUE",
    });
    return [];
  });
  for (const { name, value } of flags) values.set(name, value);
  const variables = new Variables(values);
  return {
    variables,
    problems,
    files: named.map((file) => ({ ...file, isUsed: (name) => variables.isUsed(name) })),
    unused: () => flags.flatMap(({ name }) => unusedProblem(name, variables)),
  };
}

/** Whether a file has its name in the repository of the working directory, and links lead out of it. */
function leavesRepository(file: string): boolean {
  let root = resolve(".");
  while (!existsSync(join(root, ".git")) && dirname(root) !== root) root = dirname(root);
  if (!existsSync(join(root, ".git"))) root = resolve(".");
  return isInside(resolve(file), root) && isOutside(file, root);
}

async function readVariableFile(file: string, signal: AbortSignal): Promise<VariableFile> {
  const refused = ({ message, advice }: Pick<Problem, "message" | "advice">) => ({
    values: new Map<string, string>(),
    problems: [
      {
        code: "unreadable" as const,
        message: `${escapeControl(file)} ${message}`,
        ...(advice !== undefined && { advice }),
      },
    ],
  });
  try {
    const content = await readFile(file, signal);
    if (!content) return refused(tooLarge);
    const decoded = decodeText(content);
    const { parseVariableFile } = await import("../../core/source/variable-file.ts");
    return "text" in decoded ? parseVariableFile(decoded.text, file) : refused(decoded.mistake);
  } catch (error) {
    return { values: new Map(), problems: [unreadable(file, error)] };
  }
}

/** The problem of a misspelt `--var`: without it, manifests would silently use a default. */
function unusedProblem(name: string, variables: Variables): Problem[] {
  if (variables.isUsed(name)) return [];
  const near = nearest(name, variables.used());
  return [
    {
      code: "variable",
      message: `no manifest uses the variable ${name} of --var`,
      advice: near === undefined ? "correct the name, or leave the flag out" : `did you mean ${near}?`,
    },
  ];
}
