import { basename, resolve, dirname } from "node:path";
import { isMisnamedSettings, misnamedSettings, isInside, leaves } from "../../core/source/files.ts";
import { readFile } from "../../core/source/read.ts";
import { decodeText } from "../../core/source/text.ts";
import { nearest } from "../../core/model/schema/suggest.ts";
import type { Position, Problem } from "../../core/problems/problem.ts";
import type { Help } from "../../core/problems/remedy.ts";
import type { Io } from "../terminal/io.ts";
import { type PlacedSetting, readSettingsText } from "../../core/manifests/settings/file.ts";
import { findSettingsFiles, type SettingsPlaces } from "../../core/manifests/settings/find.ts";
import { fileMembers, isDeclaredBy, settingNames, variableOf } from "./names.ts";
import { realpathSync } from "node:fs";
import { fromFolder } from "../../core/files/files.ts";
import type { DeclaredEnvironments } from "../../core/manifests/settings/environments.ts";
import type { EnvironmentSettings } from "../../core/source/environments.ts";
import { codeOf } from "../../core/values/error-code.ts";

export interface SettingsFile {
  /** Its path; undefined if there is none. */
  name?: string;
  members: ReadonlyMap<string, PlacedSetting>;
  /** Further settings files, which can only forbid: their `protect` and stricter limits count. */
  guards: readonly SettingsFile[];
  problems: Problem[];
}

const empty: SettingsFile = { members: new Map(), guards: [], problems: [] };

/** Reads the named settings file, or the one found from the places. Beside a named one, found files can only forbid. */
export async function readSettingsFile(
  named: string | undefined,
  places: SettingsPlaces,
  { env, user, signal }: Pick<Io, "env" | "user" | "signal">,
): Promise<SettingsFile> {
  const found = await findSettingsFiles(places, ownersFor(user, env));
  const isNamed = (file: string) => named !== undefined && resolve(file) === resolve(named);
  const [first, second] = named === undefined ? found.files : [named];
  const forbidding =
    named === undefined ? found.guards : [...found.files, ...found.guards].filter((file) => !isNamed(file));
  if (found.problems.length > 0 && !found.files.some(isNamed)) return { ...empty, problems: found.problems };
  if (second !== undefined) {
    const message = `the manifests have different settings files: ${first} and ${second}`;
    return { ...empty, problems: [{ code: "setting", message, advice: "choose one with --config" }] };
  }
  const main = first === undefined ? empty : await (named === undefined ? readFound : read)(first, signal);
  const guards = await Promise.all(forbidding.map((file) => readFound(file, signal)));
  return { ...main, guards, problems: [main, ...guards].flatMap(({ problems }) => problems) };
}

/** Ids of the users whose settings files are trusted: the user, and the user who called sudo. */
function ownersFor(user: number | undefined, env: Io["env"]): number[] | undefined {
  if (user === undefined) return undefined;
  const before = Number(env["SUDO_UID"] || Number.NaN);
  return user === 0 && Number.isInteger(before) ? [user, before] : [user];
}

async function readFound(file: string, signal: AbortSignal): Promise<SettingsFile> {
  return isMisnamedSettings(basename(file))
    ? { ...empty, problems: [misnamedSettings(file)] }
    : read(file, signal);
}

async function read(file: string, signal: AbortSignal): Promise<SettingsFile> {
  const content = await readText(file, signal);
  return typeof content === "string" ? understand(content, file) : { ...empty, problems: [content] };
}

/** Reads a settings file whose content is known. @param name its name in messages */
export async function settingsFrom(content: Uint8Array, name: string): Promise<SettingsFile> {
  const decoded = decodeText(content);
  return "text" in decoded
    ? understand(decoded.text, name)
    : { ...empty, problems: [refused(name, decoded.mistake)] };
}

function refused(file: string, { message, advice }: Help & { message: string }): Problem {
  return {
    code: "setting",
    message: `the settings file ${file} ${message}`,
    advice: advice ?? "give the right file with --config",
  };
}

async function readText(file: string, signal: AbortSignal): Promise<string | Problem> {
  try {
    const content = await readFile(file, signal);
    if (!content) return refused(file, { message: "is too large" });
    const decoded = decodeText(content);
    return "text" in decoded ? decoded.text : refused(file, decoded.mistake);
  } catch (error) {
    const code = codeOf(error) ?? "unknown";
    return refused(file, { message: code === "ENOENT" ? "does not exist" : `cannot be read (${code})` });
  }
}

async function understand(text: string, name: string): Promise<SettingsFile> {
  const { members: all, problems } = await readSettingsText(text, name);
  if (problems.length > 0 || all.size === 0) return { ...empty, problems };
  for (const [member, { key }] of all)
    if (!fileMembers.includes(member)) problems.push(unknownMember(member, key));
  const members = new Map([...all].filter(([member]) => fileMembers.includes(member)));
  for (const [member, { value, position }] of members) {
    const [reference] = (typeof value === "string" && /\$\{[^}]*\}?/.exec(value)) || [];
    if (reference !== undefined) problems.push(notFilledIn(member, reference, position));
  }
  const minimum = members.get("min_version");
  if (minimum) problems.push(...(await import("./min-version.ts")).tooOld(minimum));
  return { name, problems, members, guards: [] };
}

/** The problem of a reference to a variable, which only manifests may contain. */
function notFilledIn(member: string, reference: string, position: Position): Problem {
  const name = settingNames.find((one) => one === member);
  return {
    code: "setting",
    message: `${member} contains ${reference}, but variables are replaced only in manifests, not in the settings file`,
    advice:
      name === undefined || !isDeclaredBy(name, "variable")
        ? "write the value itself"
        : `write the value itself, or set ${variableOf(name)}`,
    // The line is not shown, because a URL may contain a password.
    position: { ...position, text: `${member}: …` },
  };
}

function unknownMember(member: string, position: Position): Problem {
  if (/token|secret|password/i.test(member)) {
    return {
      code: "setting",
      message: "a token must not be in a file under version control",
      advice:
        "remove it, revoke that token, and set INFRASYNC_TOKEN, or INFRASYNC_TOKEN_FILE to a file that contains the token",
      // The line is not shown, because it contains the secret.
      position: { ...position, text: `${member}: …` },
    };
  }
  const near = nearest(member, fileMembers);
  const name = settingNames.find((one) => one === member);
  const advice = name
    ? `a settings file cannot contain it; set ${variableOf(name)}`
    : near === undefined
      ? `settings are: ${fileMembers.join(", ")}`
      : `did you mean ${near}?`;
  return { code: "setting", message: `unknown setting ${member}`, advice, position };
}

export async function declaredEnvironments({ members }: SettingsFile): Promise<DeclaredEnvironments> {
  const member = members.get("environments");
  if (!member) return { environments: [], problems: [] };
  return (await import("../../core/manifests/settings/environments.ts")).readEnvironments(member);
}

/** The environments of a settings file on the disk, as `environmentsOfCommit` has them, without links that lead out of its folder. */
export async function environmentsIn(file: SettingsFile): Promise<DeclaredEnvironments> {
  const { environments, problems } = await environmentsOfCommit(file);
  const inside = environments.map((environment) => insideFolder(environment, dirname(file.name ?? "")));
  const reported = new Map(inside.flatMap((each) => each.problems).map((each) => [each.message, each]));
  return {
    environments: inside.map(({ environment }) => environment),
    problems: [...problems, ...reported.values()],
  };
}

/** The environments of a settings file; their files and folders are as seen from the working directory, and need not be there. */
export async function environmentsOfCommit(file: SettingsFile): Promise<DeclaredEnvironments> {
  const { environments, problems } = await declaredEnvironments(file);
  const here = (path: string) => fromFolder(dirname(file.name ?? ""), path);
  return {
    environments: environments.map((environment) => ({
      ...environment,
      sources: environment.sources.map(here),
      variableFiles: environment.variableFiles.map(here),
    })),
    problems,
  };
}

/** An environment without the files and folders that links lead out of a folder, and a problem for each of those. */
export function insideFolder(
  environment: EnvironmentSettings,
  folder: string,
): { environment: EnvironmentSettings; problems: Problem[] } {
  const problems: Problem[] = [];
  const inside = (paths: readonly string[]) =>
    paths.filter((path) => {
      if (!isOutside(path, folder)) return true;
      const advice = "put its target into the folder of the settings file";
      problems.push({ ...leaves(path), advice });
      return false;
    });
  const { sources, variableFiles } = environment;
  return {
    environment: { ...environment, sources: inside(sources), variableFiles: inside(variableFiles) },
    problems,
  };
}

/** Whether links lead out of a folder; not where nothing can be read: whoever reads it says so. */
export function isOutside(path: string, folder: string): boolean {
  const [real, root] = [realPath(path), realPath(folder)];
  return real !== undefined && root !== undefined && !isInside(real, root);
}

/** The path without links; undefined: nothing can be read there, and whoever reads it says so. */
function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}
