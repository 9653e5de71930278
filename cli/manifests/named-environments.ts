import { formatAddress, parentAddress } from "../../core/model/addresses/address.ts";
import { declaredVersions } from "../../core/deployments/index.ts";
import { InvalidInputError, type Problem } from "../../core/problems/problem.ts";
import { inSentence, escapeControl } from "../../core/values/text.ts";
import { nearest } from "../../core/model/schema/suggest.ts";
import type { SourceFlags } from "../flags.ts";
import { environmentsIn, readSettingsFile } from "../settings/file.ts";
import type { Io } from "../terminal/io.ts";
import { readSources } from "./manifests.ts";

/** The choice of the arguments of a command, which may name environments of the settings file. */
export interface NamedEnvironments {
  /** Patterns of live resources; those of live environments replace the names of the settings file. */
  patterns: string[];
  /** Whether an environment of the settings file is named, so that manifests were read. */
  isDeclared: boolean;
  /** The image tags and chart versions of those environments, by the keys of the addresses of services. */
  versions: ReadonlyMap<string, string>;
  /** Does what the command does; where a word that it cannot find is nearly such a name, the mistake says so. */
  suggesting<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** Reads the environments of the settings file that arguments name; mistakes are added to `problems`. */
export async function readNamedEnvironments(
  texts: readonly string[],
  flags: SourceFlags,
  io: Io,
  problems: Problem[],
): Promise<NamedEnvironments> {
  const versions = new Map<string, string>();
  // Only a single word can be the name of an environment; otherwise no file has to be read.
  if (!texts.some((text) => /^[\w.-]+$/.test(text))) return found(texts, versions, new Map());
  const { environments, problems: wrong } = await environmentsIn(
    await readSettingsFile(flags.config, { orders: [] }, io),
  );
  problems.push(...wrong);
  const patterns = new Set<string>();
  const near = new Map<string, string>();
  const names = environments.map(({ name }) => name);
  for (const text of texts) {
    const environment = environments.find(({ name }) => name === text);
    if (!environment) {
      patterns.add(text);
      const name = nearest(text, names);
      if (name !== undefined) near.set(text, name);
      continue;
    }
    if (wrong.length > 0) continue;
    const set = { sources: environment.sources, environment };
    const { resources, problems: mistakes } = await readSources(set, flags, io);
    problems.push(...mistakes);
    for (const { address } of resources) {
      const around = address.kind.deployment ? parentAddress(address) : address;
      if (around?.kind.jointDeployment) patterns.add(formatAddress(around));
    }
    for (const [key, version] of declaredVersions(resources)) versions.set(key, version);
  }
  return { ...found([...patterns], versions, near), isDeclared: texts.some((text) => names.includes(text)) };
}

/** The live address of an environment of the settings file, or the text itself, and a wrapper whose mistakes name near names. */
export async function liveAddress(
  text: string,
  flags: SourceFlags,
  io: Io,
  problems: Problem[],
): Promise<{ address: string } & Pick<NamedEnvironments, "suggesting">> {
  const { patterns, suggesting } = await readNamedEnvironments([text], flags, io, problems);
  const [address = text, second] = patterns;
  if (second !== undefined)
    problems.push({
      code: "argument",
      message: `${escapeControl(text)} of the settings file declares ${inSentence(patterns)}`,
      advice: "name one of them",
    });
  return { address, suggesting };
}

function found(
  patterns: readonly string[],
  versions: ReadonlyMap<string, string>,
  near: ReadonlyMap<string, string>,
): NamedEnvironments {
  return {
    patterns: [...patterns],
    isDeclared: false,
    versions,
    async suggesting(work) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof InvalidInputError) || near.size === 0) throw error;
        throw new InvalidInputError(error.problems.map((problem) => withName(problem, near)));
      }
    },
  };
}

function withName(problem: Problem, near: ReadonlyMap<string, string>): Problem {
  const name = near.get(problem.unmatched ?? "");
  return name === undefined
    ? problem
    : { ...problem, advice: `did you mean ${name}, an environment of the settings file?` };
}
