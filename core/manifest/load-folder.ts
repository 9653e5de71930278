import { posix } from "node:path";
import type { Problem } from "../problem.ts";
import type { Restriction } from "../restriction.ts";
import {
  isLeftOut,
  isManifest,
  isMisnamedSettings,
  misnamedPolicies,
  misnamedSettings,
  settingsBelow,
  settingsFileName,
} from "../source/files.ts";
import type { StatedEnvironment } from "../source/environments.ts";
import { Ignored, ignoreFileName } from "../source/ignored.ts";
import { decodeText } from "../source/text.ts";
import { parseVariableFile } from "../source/variable-file.ts";
import { Variables } from "../source/variables.ts";
import { escapeControl } from "../text.ts";
import { absent, type FilesBeside, outside } from "./beside.ts";
import { expandTemplates, type FetchTemplate } from "./expand.ts";
import { combine, isSilent, type LoadedManifests, nothing, parseContent, withTexts } from "./load.ts";
import { type EnvironmentDocuments, mergeEnvironments } from "./merge.ts";
import { addFile, type LoadedSource, nothingParsed } from "./parsed.ts";
import { ParsedFiles } from "./parsed-files.ts";
import { type ReadVariableFile, unusedInFiles, unusedVariables } from "./unused-variables.ts";

/** A folder that is not on the disk: that of a commit, for example. It has no links. */
export interface GivenFolder {
  /** Its name in messages. */
  name: string;
  /** The paths of all files, relative to the folder, with `/`. */
  paths: readonly string[];
  /** The content of a file; undefined when it is too large. */
  read(path: string): Promise<Uint8Array | undefined>;
  /** The id of the content of a file, the same as long as the content is the same. */
  idOf?(path: string): string;
}

/** The paths of the manifests in a folder, sorted: those that `loadManifests` would read. */
export function manifestPaths({ paths }: Pick<GivenFolder, "paths">, ignored: Ignored): string[] {
  return paths
    .filter((path) => isManifest(path) && !path.split("/").some(isLeftOut) && !ignored.has(path))
    .toSorted();
}

/** What the ignore files of a folder leave out. */
export async function ignoredIn({ paths, read }: GivenFolder): Promise<Ignored> {
  const ignored = new Ignored();
  for (const file of paths.filter((path) => posix.basename(path) === ignoreFileName)) {
    const folder = posix.dirname(file).replace(/^\.$/, "");
    ignored.add(folder, new TextDecoder().decode(await read(file)));
  }
  return ignored;
}

/** Options for reading the manifests of a folder. */
interface FolderOptions {
  variables?: Variables;
  /** From the last call, with the same variables. */
  parsedBefore?: ParsedFiles;
  /** Reads templates that other repositories have; without it, none is used. */
  fetchTemplate?: FetchTemplate;
}

/** Reads the manifests of a folder, as `loadManifests` reads those of a folder on the disk. */
export async function loadFolder(
  folder: GivenFolder,
  { variables = new Variables(), parsedBefore = new ParsedFiles(), fetchTemplate }: FolderOptions = {},
): Promise<LoadedManifests> {
  const ignored = await ignoredIn(folder);
  const source = await readSource(folder, manifestPaths(folder, ignored), variables, parsedBefore, "");
  source.problems.unshift(...settingsProblems(folder, ignored));
  parsedBefore.forgetOthers();
  const { documents, problems, restrictions } = combine(await expandTemplates([source], fetchTemplate));
  if (isSilent(source)) problems.push(nothing([folder.name]));
  return { documents, problems, restrictions, files: source.files };
}

/** Reads the environments of the settings file of a folder, each from its own sources and values. */
export async function loadEnvironments(
  folder: GivenFolder,
  environments: readonly StatedEnvironment[],
  { variables = new Variables(), parsedBefore = new ParsedFiles(), fetchTemplate }: FolderOptions = {},
): Promise<LoadedManifests> {
  const ignored = await ignoredIn(folder);
  const paths = manifestPaths(folder, ignored);
  const problems = settingsProblems(folder, ignored);
  const restrictions: Restriction[] = [];
  const read: EnvironmentDocuments[] = [];
  const variableFiles: ReadVariableFile[] = [];
  for (const environment of environments) {
    const { values, files } = await valuesOf(folder, environment, problems);
    const sources: ReadSource[] = [];
    // Of other values, other documents are made.
    const of = `${environment.name} ${JSON.stringify([...values])}`;
    for (const name of environment.sources) {
      const inside = paths.filter((path) => isIn(path, name));
      if (inside.length === 0) problems.push(nothing([posix.join(folder.name, name)]));
      sources.push(await readSource(folder, inside, variables.with(values), parsedBefore, of));
    }
    const combined = combine(await expandTemplates(sources, fetchTemplate));
    problems.push(...combined.problems);
    const isUsed = (name: string) => sources.some(({ used }) => used.some((each) => each.isUsed(name)));
    restrictions.push(...combined.restrictions, ...unusedVariables(environment, isUsed));
    variableFiles.push(...files.map((each) => ({ ...each, isUsed })));
    read.push({ name: environment.name, documents: combined.documents });
  }
  parsedBefore.forgetOthers();
  const merged = mergeEnvironments(read);
  return {
    documents: merged.documents,
    problems: [...problems, ...merged.problems],
    restrictions: [...restrictions, ...unusedInFiles(variableFiles)],
    files: paths.length,
  };
}

function isIn(path: string, source: string): boolean {
  const name = posix.normalize(source).replace(/\/$/, "");
  return name === "." || path === name || path.startsWith(`${name}/`);
}

/** The values of variables that an environment states, itself and in files. */
async function valuesOf(
  folder: GivenFolder,
  { variables, variableFiles }: StatedEnvironment,
  problems: Problem[],
): Promise<{ values: Map<string, string>; files: Omit<ReadVariableFile, "isUsed">[] }> {
  const values = new Map<string, string>();
  const files: Omit<ReadVariableFile, "isUsed">[] = [];
  for (const path of variableFiles) {
    const name = posix.join(folder.name, path);
    const content = folder.paths.includes(posix.normalize(path))
      ? await folder.read(posix.normalize(path))
      : undefined;
    const decoded = content && decodeText(content);
    if (!decoded || !("text" in decoded)) {
      const message = `the variable file ${escapeControl(name)} ${decoded ? decoded.mistake.message : "is not there, or too large"}`;
      problems.push({ code: "unreadable", message, advice: "correct var_files in the settings file" });
      continue;
    }
    const file = parseVariableFile(decoded.text, name);
    problems.push(...file.problems);
    for (const [key, value] of file.values) values.set(key, value);
    files.push({ file: name, names: [...file.values.keys()] });
  }
  return { values: new Map([...values, ...variables]), files };
}

/** A source, and what its files use of the variables. */
interface ReadSource extends LoadedSource {
  used: Pick<Variables, "isUsed">[];
}

/** @param of everything beside its content on which the parsed form of a file depends */
async function readSource(
  folder: GivenFolder,
  paths: readonly string[],
  variables: Variables,
  parsedBefore: ParsedFiles,
  of: string,
): Promise<ReadSource> {
  const known = new Set(folder.paths);
  const source: ReadSource = { ...nothingParsed(), files: paths.length, used: [] };
  for (const path of paths) {
    const name = posix.join(folder.name, path);
    const parse = async () => {
      const apart = variables.apart();
      return { parsed: parseContent(await folder.read(path), name, apart), variables: apart };
    };
    const id = folder.idOf?.(path);
    const file = id === undefined ? await parse() : await parsedBefore.of(`${of} ${name}`, id, parse);
    addFile(source, await withTexts(file.parsed, filesBeside(folder, known, path)));
    source.used.push(file.variables);
  }
  return source;
}

function settingsProblems({ name, paths }: GivenFolder, ignored: Ignored): Problem[] {
  const misnamed = paths.filter(isMisnamedSettings).map((path) => misnamedSettings(posix.join(name, path)));
  const below = paths
    .filter((path) => posix.basename(path) === settingsFileName && path !== settingsFileName)
    .filter((path) => !posix.dirname(path).split("/").some(isLeftOut) && !ignored.has(path))
    .map((path) => settingsBelow(posix.join(name, posix.dirname(path)), name));
  return [...misnamed, ...misnamedPolicies(name, paths), ...below];
}

function filesBeside(folder: GivenFolder, known: ReadonlySet<string>, manifest: string): FilesBeside {
  return async (name) => {
    const here = posix.dirname(manifest);
    const path = posix.join(here, name);
    const isOutside = posix.isAbsolute(name) || posix.relative(here, path).startsWith("..");
    if (isOutside) return outside;
    return known.has(path) ? folder.read(path) : absent;
  };
}
