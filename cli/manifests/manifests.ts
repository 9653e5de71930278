import type { AnyAddress } from "../../core/model/addresses/address.ts";
import {
  type DesiredResource,
  hideSecrets,
  type LoadedFiles,
  type LoadedManifests,
  type LoadOptions,
  loadManifests,
  type ManifestDocument,
  mergeEnvironments,
  toDesired,
  unusedInFiles,
  unusedVariables,
} from "../../core/manifests/manifest/index.ts";
import type { Problem } from "../../core/problems/problem.ts";
import type { Variables } from "../../core/source/variables.ts";
import type { SourceFlags } from "../flags.ts";
import type { Io } from "../terminal/io.ts";
import type { ChosenSources, ManifestSet } from "./source-selection.ts";
import { readVariables } from "./variables.ts";

export interface ManifestContents extends LoadedManifests {
  resources: DesiredResource[];
  /** The fields that the command line sets: `job:shop/production/web:source.image.tag`. */
  set: string[];
  /** The environments of the settings file that have a resource, in words; absent: fewer than two were chosen. */
  sectionOf?: (address: AnyAddress) => string;
}

/** The contents of sources that are overlaid on each other, and what they were made of. */
export interface DescribedSources extends ManifestContents {
  /** The sources before they were combined, and the values of variables. */
  loaded: LoadedFiles;
  variables: Variables;
}

/** Reads manifests and collects all their problems. Without sources it reads the working directory. */
export async function readManifests(
  sources: readonly string[],
  flags: SourceFlags,
  io: Io,
): Promise<DescribedSources> {
  return readSources({ sources: sources.length === 0 ? ["."] : sources }, flags, io);
}

/** Reads the manifests of sources, or of an environment of the settings file, and collects all their problems. */
export async function readSources(set: ManifestSet, flags: SourceFlags, io: Io): Promise<DescribedSources> {
  const { loaded, variables, problems, unused, restrictions, variableFiles } = await readSet(set, flags, io);
  return {
    ...(await describe(loaded.documents, [...problems, ...unused], flags, io)),
    restrictions: [...restrictions, ...unusedInFiles(variableFiles)],
    files: loaded.files,
    loaded,
    variables,
  };
}

/** Reads the sources or environments that a command line chooses; `isPast`: an earlier commit, which need not use all flags. */
export async function readChosen(
  chosen: ChosenSources,
  flags: SourceFlags,
  io: Io,
  { isPast = false, besideOf }: { isPast?: boolean; besideOf?: LoadOptions["besideOf"] } = {},
): Promise<ManifestContents> {
  const read = [];
  // If an argument is ambiguous, nothing is read: the mistakes say why.
  for (const set of chosen.problems.length > 0 ? [] : chosen.sets)
    read.push({ set, ...(await readSet(set, flags, io, besideOf)) });
  const [first, ...others] = read;
  // A flag for one environment says nothing in another.
  const unused = (first?.unused ?? []).filter(
    ({ message }) =>
      !isPast && others.every((other) => other.unused.some((problem) => problem.message === message)),
  );
  const { documents, problems, sectionOf } = mergeEnvironments(
    read.map(({ set, loaded }) => ({ name: set.environment?.name ?? "", documents: loaded.documents })),
  );
  const wrong = [...chosen.problems, ...read.flatMap((each) => each.problems), ...problems, ...unused];
  return {
    ...(await describe(documents, wrong, flags, io)),
    restrictions: [
      ...read.flatMap(({ restrictions }) => restrictions),
      ...unusedInFiles(read.flatMap(({ variableFiles }) => variableFiles)),
    ],
    files: new Set(read.flatMap(({ loaded }) => [...loaded.realPaths])).size,
    ...(others.length > 0 && { sectionOf }),
  };
}

/** Reads sources that are overlaid on each other. `unused`: the problems of flags that they do not use. */
async function readSet(
  { sources, environment }: ManifestSet,
  flags: SourceFlags,
  io: Io,
  besideOf?: LoadOptions["besideOf"],
) {
  const { variables, problems, unused, files } = await readVariables(flags, io, environment);
  const isUsed = (name: string) => variables.isUsed(name);
  const loaded = await loadManifests(sources, {
    ...(sources.includes("-") && { standardInput: io.stdin }),
    signal: io.signal,
    settingsAreNamed: flags.config !== undefined || environment !== undefined,
    variables,
    besideOf,
    fetchTemplate: async (template) => (await import("./fetch-template.ts")).fetchTemplate(template, io),
  });
  return {
    loaded,
    variables,
    problems: [...problems, ...loaded.problems],
    unused: unused(),
    variableFiles: files,
    restrictions: [...loaded.restrictions, ...(environment ? unusedVariables(environment, isUsed) : [])],
  };
}

/** The resources of documents, with the fields that flags set. */
async function describe(
  given: readonly ManifestDocument[],
  before: readonly Problem[],
  flags: SourceFlags,
  { env, hidden, signal }: Io,
): Promise<Omit<ManifestContents, "files" | "restrictions">> {
  const {
    documents,
    set,
    problems: ofSet,
  } = flags.set
    ? (await import("./set-fields.ts")).setFields(given, flags.set)
    : { documents: [...given], set: [], problems: [] };
  const { resources, problems } = toDesired(documents);
  if (hidden) await hideSecrets(resources, { environment: env, allowCommands: false }, hidden, { signal });
  return { documents, resources, set, problems: [...before, ...problems, ...ofSet] };
}
