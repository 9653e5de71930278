import { readFile } from "node:fs/promises";
import { basename, resolve } from "node:path";
import type { Problem } from "../../core/problems/problem.ts";
import { findSettingsFiles, lastSearched } from "../../core/manifests/settings/find.ts";
import { readRules, type TeamRules } from "../../core/manifests/settings/rules.ts";
import { isMisnamedSettings, misnamedSettings, settingsFileName } from "../../core/source/files.ts";

/** Settings that are missing, or cannot be used. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}

/** A setting that the stack or its environment gives. */
export interface StackSetting {
  value: string;
  /** For messages. */
  source: string;
}

/** The files that lie in the root of a program. */
const rootFiles = ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"];

const none: TeamRules = { policies: [], protect: [] };

/** The rules of files that have been read, by their texts: every call of the engine asks for them. */
const known = new Map<string, ReturnType<typeof readRules>>();

/** The settings files that have been sought, by the folders where the search began. */
const found = new Map<string, string | undefined>();

/**
 * The rules of the settings file that a setting names; otherwise of the one in the folder of the program, or above it up to the
 * root of its git work tree or the folder with its project file. Of the file, only what forbids counts.
 *
 * @throws SettingsError where it cannot be read, or has a mistake: a rule that nobody asks forbids nothing
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
  // It can only forbid, so that it does not matter whose file it is.
  if (!found.has(folder))
    found.set(folder, findSettingsFiles({ orders: [folder], roots: rootFiles }, undefined).files[0]);
  return found.get(folder);
}

/** Which file has the rules of a run, or that there is none, in a line for the user. */
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
