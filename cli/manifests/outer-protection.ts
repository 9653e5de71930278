import { dirname, isAbsolute, relative } from "node:path";
import type { Policy } from "../../core/planning/plan/index.ts";
import { escapeControl } from "../../core/values/text.ts";
import { counted } from "../render/text.ts";
import { environmentsIn, readSettingsFile, type SettingsFile } from "../settings/file.ts";
import type { SettingFlags } from "../settings/names.ts";
import type { Console } from "../terminal/console.ts";
import { type ChosenSources, chooseSources, plainSources, readChosen } from "./manifests.ts";

/** The protections of `manage.protect` for a command that plans no manifests. Mistakes in the documents forbid nothing. */
export async function protectedAround(
  flags: SettingFlags,
  console: Console,
  folder?: string,
): Promise<Pick<Policy, "protectedElsewhere">> {
  const chosen = await sourcesAround(flags, console, folder);
  if (!chosen) return {};
  const { resources, problems } = await readChosen(chosen, flags, console.io);
  const wrong = problems.filter(({ code }) => code !== "nothing_found");
  if (wrong.length > 0)
    console.note(
      `Note: the manifests in ${chosen.sources.map(escapeControl).join(", ")} have ${counted(wrong.length, "mistake")} (infrasync validate shows them), so their protection may be incomplete.`,
    );
  return { protectedElsewhere: resources.filter(({ manage }) => manage.protect) };
}

async function sourcesAround(
  flags: SettingFlags,
  { io }: Console,
  folder: string | undefined,
): Promise<ChosenSources | undefined> {
  const { places } = plainSources(folder === undefined ? [] : [folder]);
  const file = await readSettingsFile(flags.config, places, io);
  if (file.name !== undefined && (await environmentsIn(file)).environments.length > 0)
    return chooseSources([], { ...flags, config: file.name, all: true }, io);
  if (folder !== undefined) return plainSources([folder]);
  const root = folderOfSettings(file);
  return root === undefined ? undefined : plainSources([root]);
}

/** The folder of the settings file; undefined if there is none, or the working directory is not in that folder. */
export function folderOfSettings({ name }: SettingsFile): string | undefined {
  if (name === undefined) return undefined;
  const folder = dirname(name);
  const below = relative(folder, ".");
  return isAbsolute(below) || below.startsWith("..") ? undefined : folder;
}
