import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import type { Scope } from "../../core/scope.ts";
import type { PlanPolicy } from "../../core/policies/index.ts";
import type { Problem } from "../../core/problem.ts";
import { isSlip } from "../../core/schema/suggest.ts";
import { readSettingsText } from "../../core/settings/file.ts";
import { findSettingsFiles } from "../../core/settings/find.ts";
import { caps } from "../../core/settings/values.ts";
import { isMisnamedSettings, misnamedSettings } from "../../core/source/files.ts";
import { SettingsError } from "./settings-error.ts";

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
  /** How much one run may lose; absent: any number. */
  maxDeletes?: number;
}

const none: TeamRules = { policies: [], protect: [] };

/** The rules of files that have been read, by their texts: every call of the engine asks for them. */
const known = new Map<string, Promise<TeamRules>>();

/** The settings files that have been sought, by the folders where the search began. */
const found = new Map<string, string | undefined>();

/**
 * The rules of the settings file that a setting names; otherwise of the one that the command line finds in the folder of the
 * program, or above it in its git work tree. Of the file, only what forbids counts.
 *
 * @throws SettingsError where it cannot be read, or has a mistake: a rule that nobody asks forbids nothing
 */
export async function rulesFor(named: GivenSetting | undefined, folder = process.cwd()): Promise<TeamRules> {
  // It can only forbid, so that it does not matter whose file it is.
  if (!found.has(folder)) found.set(folder, findSettingsFiles({ orders: [folder] }, undefined).files[0]);
  const file = named?.value ?? found.get(folder);
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
    ...(count !== undefined && { maxDeletes: count }),
  };
}

function inWords(problems: readonly Problem[]): string {
  const lines = problems.map(({ message, advice = "", position }) => {
    const place = position ? `${position.file}:${position.line}:${position.column}: ` : "";
    return `${place}${message}; ${advice}`;
  });
  return lines.join("\n");
}
