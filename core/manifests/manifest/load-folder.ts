import { posix } from "node:path";
import type { Problem } from "../../problems/problem.ts";
import type { Restriction } from "../../model/addresses/restriction.ts";
import { findFiles, type FoundFile, isMisnamedSettings, misnamedSettings } from "../../source/files.ts";
import type { EnvironmentSettings } from "../../source/environments.ts";
import { ignoreFileName } from "../../source/ignore-files.ts";
import { type Tree, type TreeContent, treeOf } from "../../source/tree.ts";
import { decodeText } from "../../source/text.ts";
import { parseVariableFile } from "../../source/variable-file.ts";
import { Variables } from "../../source/variables.ts";
import { escapeControl } from "../../values/text.ts";
import { absent, type FilesBeside, outside } from "./included-files.ts";
import { expandTemplates, type FetchTemplate } from "./expand.ts";
import { combine, isSilent, type LoadedManifests, nothing, parseContent, withTexts } from "./load.ts";
import { type EnvironmentDocuments, mergeEnvironments } from "./merge.ts";
import { addFile, type LoadedSource, nothingParsed } from "./parsed-manifest.ts";
import { ParsedFiles } from "./parsed-files.ts";
import { type ReadVariableFile, unusedInFiles, unusedVariables } from "./unused-variables.ts";

/** A folder that is not on the disk: that of a commit, for example. */
export interface VirtualFolder extends TreeContent {
  name: string;
  /** Undefined: the file is too large. */
  read(path: string): Promise<Uint8Array | undefined>;
  /** The id of the content of a file. */
  idOf?(path: string): string;
}

interface OpenFolder extends VirtualFolder {
  tree: Tree;
}

async function opened(folder: VirtualFolder): Promise<OpenFolder> {
  const texts = new Map<string, string>();
  for (const file of folder.paths.filter((path) => posix.basename(path) === ignoreFileName))
    texts.set(file, new TextDecoder().decode(await folder.read(file)));
  return { ...folder, tree: treeOf({ ...folder, texts }) };
}

function filesOf({ name, tree }: OpenFolder, source = "."): ReturnType<typeof findFiles> {
  return findFiles(`/${source}`, { tree, name: posix.join(name, source) });
}

/** The paths of the manifests in a folder that `loadFolder` reads. */
export async function manifestPaths(folder: VirtualFolder): Promise<string[]> {
  return filesOf(await opened(folder)).files.map(({ realPath }) => realPath.slice(1));
}

/** The target of a path in a folder; undefined: there is none. */
export function fileAt(folder: VirtualFolder | OpenFolder, path: string): string | undefined {
  try {
    const { realPath, kind } = ("tree" in folder ? folder.tree : treeOf(folder)).find(`/${path}`);
    return kind === "file" ? realPath?.slice(1) : undefined;
  } catch {
    return undefined;
  }
}

interface FolderOptions {
  variables?: Variables;
  /** From the last call, with the same variables. */
  parsedBefore?: ParsedFiles;
  fetchTemplate?: FetchTemplate;
}

/** Reads the manifests of a folder, as `loadManifests` does on the disk. */
export async function loadFolder(
  folder: VirtualFolder,
  { variables = new Variables(), parsedBefore = new ParsedFiles(), fetchTemplate }: FolderOptions = {},
): Promise<LoadedManifests> {
  const open = await opened(folder);
  const { files, problems: unread } = filesOf(open);
  const source = await readSource(open, files, variables, parsedBefore, "");
  source.problems.unshift(...misnamedIn(folder), ...unread);
  parsedBefore.forgetOthers();
  const { documents, problems, restrictions } = combine(await expandTemplates([source], fetchTemplate));
  if (isSilent(source)) problems.push(nothing([folder.name]));
  return { documents, problems, restrictions, files: source.files };
}

/** Reads the environments of the settings file of a folder, each from its own sources and values. */
export async function loadEnvironments(
  folder: VirtualFolder,
  environments: readonly EnvironmentSettings[],
  { variables = new Variables(), parsedBefore = new ParsedFiles(), fetchTemplate }: FolderOptions = {},
): Promise<LoadedManifests> {
  const open = await opened(folder);
  const whole = filesOf(open);
  const problems = [...misnamedIn(folder), ...whole.problems];
  const restrictions: Restriction[] = [];
  const read: EnvironmentDocuments[] = [];
  const variableFiles: ReadVariableFile[] = [];
  for (const environment of environments) {
    const { values, files } = await valuesOf(open, environment, problems);
    const sources: ReadSource[] = [];
    // Other values make other documents.
    const of = `${environment.name} ${JSON.stringify([...values])}`;
    for (const name of environment.sources) {
      const found = filesOf(open, name);
      const isReported = ({ message }: Problem) => problems.some((problem) => problem.message === message);
      problems.push(...found.problems.filter((problem) => !isReported(problem)));
      sources.push(await readSource(open, found.files, variables.with(values), parsedBefore, of));
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
    files: whole.files.length,
  };
}

async function valuesOf(
  folder: OpenFolder,
  { variables, variableFiles }: EnvironmentSettings,
  problems: Problem[],
): Promise<{ values: Map<string, string>; files: Omit<ReadVariableFile, "isUsed">[] }> {
  const values = new Map<string, string>();
  const files: Omit<ReadVariableFile, "isUsed">[] = [];
  for (const path of variableFiles) {
    const name = posix.join(folder.name, path);
    const there = fileAt(folder, path);
    const content = there === undefined ? undefined : await folder.read(there);
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

/** A source, and the variables that its files use. */
interface ReadSource extends LoadedSource {
  used: Pick<Variables, "isUsed">[];
}

/** @param of everything beside its content on which the parsed form of a file depends */
async function readSource(
  folder: OpenFolder,
  files: readonly FoundFile[],
  variables: Variables,
  parsedBefore: ParsedFiles,
  of: string,
): Promise<ReadSource> {
  const source: ReadSource = { ...nothingParsed(), files: files.length, used: [] };
  for (const { name, realPath } of files) {
    const path = realPath.slice(1);
    const parse = async () => {
      const apart = variables.apart();
      return { parsed: parseContent(await folder.read(path), name, apart), variables: apart };
    };
    const id = folder.idOf?.(path);
    const file = id === undefined ? await parse() : await parsedBefore.of(`${of} ${name}`, id, parse);
    addFile(source, await withTexts(file.parsed, filesBeside(folder, path)));
    source.used.push(file.variables);
  }
  return source;
}

function misnamedIn({ name, paths }: VirtualFolder): Problem[] {
  return paths.filter(isMisnamedSettings).map((path) => misnamedSettings(posix.join(name, path)));
}

/** Reads files beside the manifests of a folder, by their paths. */
export function filesBesideIn(folder: VirtualFolder): (manifest: string) => FilesBeside {
  const open = { ...folder, tree: treeOf(folder) };
  return (manifest) => filesBeside(open, manifest);
}

function filesBeside(folder: OpenFolder, manifest: string): FilesBeside {
  return async (name) => {
    const here = posix.dirname(manifest);
    const isOutside = (path: string) => posix.relative(`/${here}`, `/${path}`).startsWith("..");
    if (posix.isAbsolute(name) || isOutside(posix.join(here, name))) return outside;
    const path = fileAt(folder, posix.join(here, name));
    if (path === undefined) return absent;
    return isOutside(path) ? outside : folder.read(path);
  };
}
