import type { PlanPolicy } from "../../core/policies/index.ts";
import { type Problem, placeOf } from "../../core/problem.ts";
import { isSlip } from "../../core/schema/suggest.ts";
import type { Scope } from "../../core/scope.ts";
import { readSettingsText } from "../../core/settings/file.ts";
import { findSettingsFiles, lastSearched } from "../../core/settings/find.ts";
import { caps } from "../../core/settings/values.ts";
import { isMisnamedSettings, misnamedSettings, settingsFileName } from "../../core/source/files.ts";
import { readFile } from "node:fs/promises";
import { basename, resolve } from "node:path";

/** A setting that the stack or its environment gives. */
export interface GivenSetting {
  value: string;
  /** For messages. */
  source: string;
}

/** What a settings file forbids. */
export interface TeamRules {
  policies: readonly PlanPolicy[];
  protect: readonly Scope[];
  /** How much one run may lose, and the line that says it; absent: any number. */
  maxDeletes?: { count: number; file: string };
}

/** The files that lie in the root of a program. */
const rootFiles = ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"];

const none: TeamRules = { policies: [], protect: [] };

/** The rules of files that have been read, by their texts: every call of the engine asks for them. */
const known = new Map<string, Promise<TeamRules>>();

/** The settings files that have been sought, by the folders where the search began. */
const found = new Map<string, string | undefined>();

/**
 * The rules of the settings file that a setting names; otherwise of the one in the folder of the program, or above it up to the
 * root of its git work tree or the folder with its project file. Of the file, only what forbids counts.
 *
 * @throws SettingsError where it cannot be read, or has a mistake: a rule that nobody asks forbids nothing
 */
export async function rulesFor(named: GivenSetting | undefined, folder = process.cwd()): Promise<TeamRules> {
  const file = named?.value ?? rulesFileOf(folder);
  if (file === undefined) return none;
  if (!named && isMisnamedSettings(basename(file)))
    throw new SettingsError(inWords([misnamedSettings(file)]));
  const text = await readFile(file, "utf8").catch((error: Error) => {
    const source = named ? `${named.source}: ` : "";
    throw new SettingsError(`${source}${file} cannot be read: ${error.message}; name a file with policies`);
  });
  const key = `${file}\n${text}`;
  const reading = known.get(key) ?? understand(text, file);
  known.set(key, reading);
  const rules = await reading;
  if (named && rules === none)
    throw new SettingsError(`${named.source}: ${file} has no policies; write them as a list: \`policies:\``);
  return rules;
}

function rulesFileOf(folder: string): string | undefined {
  // It can only forbid, so that it does not matter whose file it is.
  if (!found.has(folder))
    found.set(folder, findSettingsFiles({ orders: [folder], roots: rootFiles }, undefined).files[0]);
  return found.get(folder);
}

/** Which file has the rules of a run, or that there is none, in a line for the user. */
export function sayRules(named: GivenSetting | undefined, folder = process.cwd()): string {
  const file = named?.value ?? rulesFileOf(folder);
  if (file !== undefined)
    return `rules of the team: ${resolve(folder, file)}${named ? ` (${named.source})` : ""}`;
  const last = lastSearched(folder, rootFiles);
  const above = last === resolve(folder) ? "" : `, or above it up to ${last}`;
  return `no rules of a team: there is no ${settingsFileName} in ${resolve(folder)}${above}`;
}

/** The members of a settings file that forbid something. */
const rules = ["policies", "environments", "protect", "max_deletes"] as const;

async function understand(text: string, file: string): Promise<TeamRules> {
  const { members, problems } = await readSettingsText(text, file);
  // Most programs have no such file, and do not load the language of conditions.
  const [{ readPolicies }, { readEnvironments }, patterns] = await Promise.all([
    import("../../core/settings/policies.ts"),
    import("../../core/settings/environments.ts"),
    import("../../core/settings/patterns.ts"),
  ]);
  for (const [member, { key: position }] of members) {
    const meant = rules.find((rule) => isSlip(member, rule));
    if (meant !== undefined && meant !== member)
      problems.push({
        code: "setting",
        message: `unknown setting ${member}`,
        advice: `did you mean ${meant}?`,
        position,
      });
  }
  const [policies, environments, protect, limit] = rules.map((member) => members.get(member));
  const read = policies && readPolicies(policies);
  const stated = environments && readEnvironments(environments);
  problems.push(...(read?.problems ?? []), ...(stated?.problems ?? []));
  const protectedOnes = [
    ...(protect ? patterns.readProtect(protect, problems) : []),
    ...patterns.protectIn(stated?.environments ?? [], problems),
  ];
  const most = limit ? caps(String(limit.value)) : { value: {} };
  if (limit && "wrong" in most)
    problems.push({
      code: "setting",
      message: `max_deletes ${most.wrong}`,
      advice: most.advice,
      position: limit.position,
    });
  if (problems.length > 0) throw new SettingsError(inWords(problems));
  const count = "value" in most ? most.value.count : undefined;
  if (!read && protectedOnes.length === 0 && count === undefined) return none;
  return {
    policies: read?.policies ?? [],
    protect: protectedOnes,
    ...(limit && count !== undefined && { maxDeletes: { count, file: placeOf(limit.position) ?? file } }),
  };
}

function inWords(problems: readonly Problem[]): string {
  const lines = problems.map(({ message, advice = "", position }) => {
    const place = position ? `${position.file}:${position.line}:${position.column}: ` : "";
    return `${place}${message}; ${advice}`;
  });
  return lines.join("\n");
}

/** Settings that are missing, or cannot be used. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}
