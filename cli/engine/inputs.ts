import { type Desired, toDesired } from "../../core/manifest/desired.ts";
import { type LoadedFiles, loadManifests, type ManifestDocument } from "../../core/manifest/index.ts";
import { InvalidInputError, type Problem } from "../../core/problem.ts";
import type { Variables } from "../../core/source/variables.ts";
import type { Console } from "../terminal/console.ts";
import type { PlanFlags, SourceFlags } from "../flags.ts";
import type { SettingFlags } from "../settings/names.ts";
import type { Io } from "../terminal/io.ts";
import { readVariables } from "./variables.ts";
import { setFields } from "./set-fields.ts";
import { targetProblems } from "./targets.ts";
import { policyOf, type Wanted } from "./wanted.ts";
import { type Settings, SettingsReader } from "../settings/index.ts";

/** The contents of the manifests, and their problems. */
export interface Described {
  resources: Desired[];
  documents: ManifestDocument[];
  /** The fields that the command line sets: `job:shop/production/web:source.image.tag`. */
  set: string[];
  files: number;
  problems: Problem[];
  /** The sources before they were combined, and the values of variables. */
  loaded: LoadedFiles;
  variables: Variables;
}

/** Reads manifests and collects all their problems. Without sources it reads the working directory. */
export async function readManifests(
  sources: readonly string[],
  flags: SourceFlags,
  io: Io,
): Promise<Described> {
  const named = sources.length === 0 ? ["."] : sources;
  const { variables, problems: ofVariables, unused } = await readVariables(flags, io);
  const loaded = await loadManifests(named, {
    standardInput: io.stdin,
    signal: io.signal,
    settingsAreNamed: flags.config !== undefined,
    variables,
  });
  const { documents, set, problems: ofSet } = setFields(loaded.documents, flags.set);
  const { resources, problems } = toDesired(documents);
  return {
    files: loaded.files,
    loaded,
    variables,
    documents,
    resources,
    set,
    problems: [...ofVariables, ...loaded.problems, ...problems, ...ofSet, ...unused()],
  };
}

/** The settings, resources and policy of a command that plans. */
interface Inputs extends Wanted {
  settings: Settings;
}

/**
 * Reads settings and manifests for a command that uses the server.
 *
 * @param unanswered problems of a missing confirmation, listed after all others
 * @throws InvalidInputError with the problems of settings, flags and manifests
 */
export async function readInputs(
  sources: readonly string[],
  flags: PlanFlags,
  console: Console,
  unanswered: readonly Problem[] = [],
): Promise<Inputs> {
  const reader = await SettingsReader.open(flags, sources.length === 0 ? ["."] : sources, console);
  const stated = reader.stated();
  const settings = await reader.complete(stated);
  const policy = policyOf(flags, stated, reader.problems);
  const { resources, set, problems } = await readManifests(sources, flags, console.io);
  // With --prune a pattern may match resources that no manifest describes; only planning can tell.
  const idle =
    problems.length > 0 || flags.prune
      ? []
      : targetProblems(
          policy.targets,
          resources.map(({ address }) => address),
        );
  const wrong = [...reader.problems, ...problems, ...idle];
  return { settings: settingsOrThrow(settings, wrong, unanswered, reader, console), resources, policy, set };
}

/**
 * Reads the settings only.
 *
 * @param unwatched why no person watches the run, if it never has one; otherwise the terminal tells
 * @throws InvalidInputError with their problems and the given ones
 */
export async function readSettings(
  flags: SettingFlags,
  console: Console,
  problems: readonly Problem[] = [],
  unanswered: readonly Problem[] = [],
  unwatched?: string,
): Promise<Settings> {
  const reader = await SettingsReader.open(flags, [], console, unwatched);
  const settings = await reader.complete(reader.stated());
  return settingsOrThrow(settings, [...reader.problems, ...problems], unanswered, reader, console);
}

function settingsOrThrow(
  settings: Settings | undefined,
  problems: readonly Problem[],
  unanswered: readonly Problem[],
  { notes }: SettingsReader,
  console: Console,
): Settings {
  const all = [...problems, ...unanswered];
  if (all.length > 0 || !settings)
    throw new InvalidInputError(all, problems.length === 0 ? "consent" : "invalid_input");
  for (const note of notes) console.note(note);
  return settings;
}
