import { InvalidInputError, refusal, type Problem } from "../../core/problems/problem.ts";
import type { EnvironmentSettings } from "../../core/source/environments.ts";
import { escapeControl } from "../../core/values/text.ts";
import type { SourceFlags } from "../flags.ts";
import type { Io } from "../terminal/io.ts";
import { chooseSources, type DeclaredSources, readSources } from "./manifests.ts";

/** The resources of files and folders, or of an environment of the settings file. @throws InvalidInputError with all mistakes */
export async function readChosenSources(
  named: readonly string[],
  flags: SourceFlags,
  io: Io,
): Promise<Environment> {
  const { sets, problems } = await chooseSources(named, flags, io);
  const [set, second] = sets;
  if (problems.length > 0) throw new InvalidInputError(problems);
  if (!set || second) throw refusal("argument", "several environments are named", "name one");
  const declared = await readSources(set, flags, io);
  if (declared.problems.length > 0) throw new InvalidInputError(declared.problems);
  return { ...declared, sources: set.sources };
}

/** The resources of two environments of the settings file, and their sources. @throws InvalidInputError with all mistakes */
export async function readEnvironments(
  names: readonly [first: string, second: string],
  flags: SourceFlags,
  io: Io,
): Promise<[DeclaredEnvironment, DeclaredEnvironment]> {
  const [first, second] = await Promise.all([
    readEnvironment(names[0], flags, io),
    readEnvironment(names[1], flags, io),
  ]);
  if ("sources" in first && "sources" in second) return [first, second];
  throw new InvalidInputError([first, second].flatMap((read) => ("sources" in read ? [] : read)));
}

type Environment = DeclaredSources & { sources: readonly string[] };

export type DeclaredEnvironment = Environment & { environment: EnvironmentSettings };

async function readEnvironment(
  name: string,
  flags: SourceFlags,
  io: Io,
): Promise<DeclaredEnvironment | readonly Problem[]> {
  const chosen = await chooseSources([name], flags, io);
  const [set] = chosen.sets;
  if (chosen.problems.length > 0) return chosen.problems;
  if (!set?.environment)
    return [
      {
        code: "argument",
        unmatched: name,
        message: `${escapeControl(name)} is not an environment of the settings file`,
        advice: "declare it there: environments: { NAME: { sources: [base, overlays/NAME] } }",
      },
    ];
  const declared = await readSources(set, flags, io);
  return declared.problems.length > 0
    ? declared.problems
    : { ...declared, sources: set.sources, environment: set.environment };
}
