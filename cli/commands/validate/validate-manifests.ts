import { InvalidInputError } from "../../../core/problem.ts";
import type { SourceFlags } from "../../flags.ts";
import { SettingsReader } from "../../settings/index.ts";
import type { Console } from "../../terminal/console.ts";
import { readManifests } from "../../support/manifests.ts";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Problem } from "../../../core/problem.ts";
import { policyFileName } from "../../../core/source/files.ts";

/**
 * Checks manifests, and the files of settings and policies beside them, and counts what it has checked.
 *
 * @throws InvalidInputError with all problems
 */
export async function validateManifests(
  sources: readonly string[],
  flags: SourceFlags,
  console: Console,
): Promise<{ documents: number; files: number }> {
  const named = sources.length === 0 ? ["."] : sources;
  const reader = await SettingsReader.open(flags, { orders: named }, console);
  reader.check();
  const { documents, files, problems } = await readManifests(sources, flags, console.io);
  const all = [...reader.problems, ...(await policyProblems(named)), ...problems];
  if (all.length > 0) throw new InvalidInputError(all);
  return { documents: documents.length, files };
}

/** The problems of the policy files in these folders. */
async function policyProblems(sources: readonly string[]): Promise<Problem[]> {
  const files = sources.map((source) =>
    basename(source) === policyFileName ? source : join(source, policyFileName),
  );
  return (await Promise.all(files.map(problemsOf))).flat();
}

async function problemsOf(file: string): Promise<Problem[]> {
  let content: Uint8Array;
  try {
    content = readFileSync(file);
  } catch {
    // There is none, or reading the source itself has been a problem.
    return [];
  }
  const { readPolicy } = await import("../../../reconciler/policy/file.ts");
  return readPolicy(content, file).problems;
}
