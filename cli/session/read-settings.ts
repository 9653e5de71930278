import { InvalidInputError, type Problem } from "../../core/problems/problem.ts";
import type { Console } from "../terminal/console.ts";
import type { SettingsPlaces } from "../../core/manifests/settings/find.ts";
import type { SettingFlags } from "../settings/names.ts";
import { type Settings, SettingsReader } from "../settings/index.ts";

/** Reads the settings of a command without manifests. @throws InvalidInputError with their problems and the given ones */
export async function readSettings(
  flags: SettingFlags,
  console: Console,
  {
    orders = [],
    problems = [],
    unanswered = [],
    unwatched,
    ...guards
  }: Partial<SettingsPlaces> & {
    problems?: readonly Problem[];
    /** Problems of a missing confirmation, listed after all others. */
    unanswered?: readonly Problem[];
    /** Why no person watches the run, if it never has one; otherwise the terminal tells. */
    unwatched?: string;
  } = {},
): Promise<Settings> {
  const reader = await SettingsReader.open(flags, { orders, ...guards }, console, unwatched);
  const settings = await reader.complete(reader.declared());
  return settingsOrThrow(settings, [...reader.problems, ...problems], unanswered, reader, console);
}

/** The settings, unless something is wrong. @throws InvalidInputError */
export function settingsOrThrow(
  settings: Settings | undefined,
  problems: readonly Problem[],
  unanswered: readonly Problem[],
  { notes }: SettingsReader,
  console: Console,
): Settings {
  const all = [...problems, ...unanswered];
  if (all.length > 0 || !settings)
    throw new InvalidInputError(all, problems.length === 0 ? "not_approved" : "invalid_input");
  for (const note of notes) console.note(note);
  return settings;
}
