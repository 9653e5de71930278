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
import { readVariables } from "./variables.ts";
import { existsSync } from "node:fs";
import { nearest } from "../../core/model/schema/suggest.ts";
import { escapeControl } from "../../core/values/text.ts";
import type { EnvironmentSettings } from "../../core/source/environments.ts";
import { environmentsIn, readSettingsFile } from "../settings/file.ts";
import type { SettingsPlaces } from "../../core/manifests/settings/find.ts";

export interface ManifestContents extends LoadedManifests {
  resources: DesiredResource[];
  /** The fields that the command line sets: `job:shop/production/web:source.image.tag`. */
  set: string[];
  /** The environments of the settings file that have a resource, in words; absent: fewer than two were chosen. */
  sectionOf?: (address: AnyAddress) => string;
}

/** The contents of sources that are overlaid on each other, and what they were made of. */
export interface DeclaredSources extends ManifestContents {
  /** The sources before they were combined, and the values of variables. */
  loaded: LoadedFiles;
  variables: Variables;
}

/** Reads manifests and collects all their problems. Without sources it reads the working directory. */
export async function readManifests(
  sources: readonly string[],
  flags: SourceFlags,
  io: Io,
): Promise<DeclaredSources> {
  return readSources({ sources: sources.length === 0 ? ["."] : sources }, flags, io);
}

/** Reads the manifests of sources, or of an environment of the settings file, and collects all their problems. */
export async function readSources(set: ManifestSet, flags: SourceFlags, io: Io): Promise<DeclaredSources> {
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

/** Sources that are overlaid on each other, and the environment of the settings file that they are from, if any. */
export interface ManifestSet {
  sources: readonly string[];
  environment?: EnvironmentSettings;
}

/** The sources that a command line chooses. */
export interface ChosenSources {
  /** One for each environment, or one for everything that is named. */
  sets: readonly ManifestSet[];
  /** The environments that the settings file describes, without those that are named. */
  others: readonly ManifestSet[];
  /** All files and folders to read. */
  sources: readonly string[];
  /** Where the settings of the run are searched. */
  places: SettingsPlaces;
  /** The settings file that describes the environments; absent: none was chosen. */
  settingsFile?: string;
  problems: readonly Problem[];
}

/** Files and folders as named, without the environments of the settings file; empty: the working directory. */
export function plainSources(named: readonly string[]): ChosenSources {
  const sources = named.length === 0 ? ["."] : named;
  return { sets: [{ sources }], others: [], sources, places: { orders: sources }, problems: [] };
}

/** The sources of a command line. An ambiguous argument is a mistake: a run never changes its meaning because a file has come. */
export async function chooseSources(
  named: readonly string[],
  { all = false, config }: SourceFlags,
  io: Io,
): Promise<ChosenSources> {
  const plain = plainSources(named);
  const file = await readSettingsFile(config, plain.places, io);
  const { environments, problems } = await environmentsIn(file);
  const chosen = all
    ? environments
    : named.flatMap((name) => environments.find((environment) => environment.name === name) ?? []);
  const mistakes = problems.length > 0 ? problems : mistakesIn(named, all, environments);
  if (mistakes.length > 0) return { ...plain, problems: mistakes };
  if (chosen.length === 0) return { ...plain, others: environments.map(setOf) };
  const sources = [...new Set(chosen.flatMap((environment) => environment.sources))];
  const settingsFile = file.name ?? "";
  return {
    sets: chosen.map(setOf),
    others: environments.filter((environment) => !chosen.includes(environment)).map(setOf),
    sources,
    places: { orders: [settingsFile], guards: sources },
    settingsFile,
    problems: [],
  };
}

function setOf(environment: EnvironmentSettings): ManifestSet {
  return { sources: environment.sources, environment };
}

function mistakesIn(
  named: readonly string[],
  all: boolean,
  environments: readonly EnvironmentSettings[],
): Problem[] {
  const names = environments.map(({ name }) => name);
  const wrong = (message: string, advice: string): Problem[] => [{ code: "argument", message, advice }];
  if (all && environments.length === 0)
    return wrong(
      "--all means all environments of the settings file, and there are none",
      "declare them: environments: { staging: { sources: [base, overlays/staging] } }",
    );
  if (all && named.length > 0)
    return wrong("--all cannot be combined with sources", "leave out --all, or the sources");
  if (named.length === 0 && !all && names.length > 0)
    return wrong(
      `no environment is named; the settings file declares ${names.join(", ")}`,
      `name one, such as ${names[0] ?? ""}, or all of them with --all; . reads all manifests in this folder`,
    );
  const chosen = named.filter((name) => names.includes(name));
  const both = chosen.find((name) => existsSync(name));
  if (both !== undefined)
    return wrong(
      `${both} is an environment of the settings file, and a file or folder too`,
      `write ./${both} for the file or folder; for the environment, rename one of them`,
    );
  if (chosen.length > 0 && chosen.length < named.length)
    return wrong(
      `${chosen.map(escapeControl).join(", ")} ${chosen.length === 1 ? "is an environment" : "are environments"}, and ${named
        .filter((name) => !names.includes(name))
        .map(escapeControl)
        .join(", ")} is not`,
      `environments are ${names.join(", ")}; each has its own sources`,
    );
  const missing = named.find((name) => /^[\w.-]+$/.test(name) && !existsSync(name) && name !== "-");
  if (chosen.length === 0 && missing !== undefined && names.length > 0)
    return wrong(
      `${missing} is neither an environment of the settings file nor a file or folder`,
      `did you mean ${nearest(missing, names) ?? names.join(", ")}?`,
    );
  const twice = chosen.find((name, index) => chosen.indexOf(name) !== index);
  return twice === undefined ? [] : wrong(`${twice} is named twice`, "name it once");
}
