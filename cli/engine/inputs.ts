import { type Desired, toDesired } from "../../core/desired.ts";
import { loadManifests, type ManifestDocument } from "../../core/manifest/index.ts";
import { idleTargets } from "../../core/plan/index.ts";
import { InvalidInputError, type Problem } from "../../core/problem.ts";
import type { Console } from "../terminal/console.ts";
import type { PlanFlags, SourceFlags } from "../flags.ts";
import type { SettingFlags } from "../settings/names.ts";
import type { Io } from "../terminal/io.ts";
import { readVariables } from "./variables.ts";
import { policyOf, type Wanted } from "./wanted.ts";
import { type Settings, SettingsReader } from "../settings/index.ts";

/** What the manifests say. */
export interface Described {
  resources: Desired[];
  documents: ManifestDocument[];
  files: number;
  problems: Problem[];
}

/** Reads manifests, and finds all that is wrong with them. Without a source it is the working directory. */
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
  const { resources, problems } = toDesired(loaded.documents);
  return {
    ...loaded,
    resources,
    problems: [...ofVariables, ...loaded.problems, ...problems, ...unused()],
  };
}

/** What a command that plans goes to the server with. */
interface Inputs extends Wanted {
  settings: Settings;
}

/**
 * Reads settings and manifests for a command that goes to the server.
 *
 * @param unanswered the problem of a missing consent, which is told after all others
 * @throws InvalidInputError with everything that is wrong in any of them.
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
  const { resources, problems } = await readManifests(sources, flags, console.io);
  // A pattern may also choose what no manifest describes: that is known after planning only.
  const idle =
    problems.length > 0 || flags.prune
      ? []
      : idleTargets(
          policy.targets,
          resources.map(({ address }) => address),
        );
  const wrong = [...reader.problems, ...problems, ...idle];
  return { settings: settingsOrThrow(settings, wrong, unanswered, reader, console), resources, policy };
}

/** Reads the settings alone. @throws InvalidInputError, also with the problems that are given */
export async function readSettings(
  flags: SettingFlags,
  console: Console,
  problems: readonly Problem[] = [],
  unanswered: readonly Problem[] = [],
): Promise<Settings> {
  const reader = await SettingsReader.open(flags, [], console);
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
