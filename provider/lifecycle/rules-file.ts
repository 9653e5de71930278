import { readFile } from "node:fs/promises";
import { basename, resolve } from "node:path";
import type { Problem } from "../../core/problems/problem.ts";
import { findSettingsFiles, lastSearched } from "../../core/manifests/settings/find.ts";
import { readRules, type TeamRules } from "../../core/manifests/settings/rules.ts";
import { isMisnamedSettings, misnamedSettings, settingsFileName } from "../../core/source/files.ts";

/** Missing or unusable settings. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
  /** The mistake in the file with the rules; absent: none. */
  inRules?: string;
}

export interface StackSetting {
  value: string;
  source: string;
}

const rootFiles = ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"];

const none: TeamRules = { policies: [], protect: [] };

/** The parsed rules by their text, because every call of the engine needs them. */
const known = new Map<string, ReturnType<typeof readRules>>();

/** The settings files by the folder where the search began. */
const found = new Map<string, string | undefined>();

/**
 * The rules of the settings file that a setting names; otherwise of the one in the folder of the program, or in a
 * parent up to the root of its Git work tree or the folder with its project file. Only the rules that forbid are used.
 *
 * @throws SettingsError where the file cannot be read, or has a mistake: ignored rules would forbid nothing
 */
export async function rulesFor(named: StackSetting | undefined, folder = process.cwd()): Promise<TeamRules> {
  const file = named?.value ?? rulesFileOf(folder);
  if (file === undefined) return none;
  if (!named && isMisnamedSettings(basename(file)))
    throw new SettingsError(inWords([misnamedSettings(file)]));
  const source = named ? `${named.source}: ` : "";
  const text = await readFile(file, "utf8").catch((error: Error) => {
    throw new SettingsError(`${source}${file} cannot be read: ${error.message}; name a file with policies`);
  });
  const key = `${file}\n${text}`;
  const reading = known.get(key) ?? readRules(text, file);
  known.set(key, reading);
  const { rules, problems } = await reading;
  if (problems.length > 0) throw new SettingsError(inWords(problems));
  if (named && !rules)
    throw new SettingsError(`${source}${file} has no policies; write them as a list: \`policies:\``);
  return rules ?? none;
}

function rulesFileOf(folder: string): string | undefined {
  // The file can only forbid, so its owner does not matter.
  if (!found.has(folder))
    found.set(folder, findSettingsFiles({ orders: [folder], roots: rootFiles }, undefined).files[0]);
  return found.get(folder);
}

/** A line for the user: the file with the rules of a run, or that there is none. */
export function sayRules(named: StackSetting | undefined, folder = process.cwd()): string {
  const file = named?.value ?? rulesFileOf(folder);
  if (file !== undefined)
    return `rules of the team: ${resolve(folder, file)}${named ? ` (${named.source})` : ""}`;
  const last = lastSearched(folder, rootFiles);
  const above = last === resolve(folder) ? "" : `, or above it up to ${last}`;
  return `no rules of a team: there is no ${settingsFileName} in ${resolve(folder)}${above}`;
}

function inWords(problems: readonly Problem[]): string {
  const lines = problems.map(({ message, advice = "", position }) => {
    const place = position ? `${position.file}:${position.line}:${position.column}: ` : "";
    return `${place}${message}; ${advice}`;
  });
  return lines.join("\n");
}
