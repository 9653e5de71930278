import { InvalidInputError } from "../../core/problem.ts";
import { escapeControl } from "../../core/text.ts";
import type { SourceFlags } from "../flags.ts";
import type { Io } from "../terminal/io.ts";
import { chooseSources, type ManifestSet } from "./chosen.ts";
import { type DescribedSources, readSources } from "./manifests.ts";

/** What files and folders describe, or an environment of the settings file. @throws InvalidInputError with all mistakes */
export async function readChosenSources(
  named: readonly string[],
  flags: SourceFlags,
  io: Io,
): Promise<DescribedSources & { sources: readonly string[] }> {
  const { sets, problems } = await chooseSources(named, flags, io);
  const [set, second] = sets;
  if (problems.length > 0) throw new InvalidInputError(problems);
  if (!set || second)
    throw new InvalidInputError([
      { code: "argument", message: "several environments are named", advice: "name one" },
    ]);
  return readSet(set, flags, io);
}

/** What an environment of the settings file describes, and its sources. @throws InvalidInputError with all mistakes */
export async function readEnvironment(
  name: string,
  flags: SourceFlags,
  io: Io,
): Promise<DescribedSources & { sources: readonly string[] }> {
  const chosen = await chooseSources([name], flags, io);
  const [set] = chosen.sets;
  if (chosen.problems.length > 0) throw new InvalidInputError(chosen.problems);
  if (!set?.environment)
    throw new InvalidInputError([
      {
        code: "argument",
        message: `${escapeControl(name)} is not an environment of the settings file`,
        advice: "describe it there: environments: { staging: { sources: [base, overlays/staging] } }",
      },
    ]);
  return readSet(set, flags, io);
}

async function readSet(set: ManifestSet, flags: SourceFlags, io: Io) {
  const described = await readSources(set, flags, io);
  if (described.problems.length > 0) throw new InvalidInputError(described.problems);
  return { ...described, sources: set.sources };
}
