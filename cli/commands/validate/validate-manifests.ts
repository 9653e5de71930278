import { InvalidInputError } from "../../../core/problem.ts";
import type { SourceFlags } from "../../flags.ts";
import { SettingsReader } from "../../settings/index.ts";
import type { Console } from "../../terminal/console.ts";
import { readManifests } from "../../support/manifests.ts";
import { policyProblems } from "./policy-problems.ts";

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
