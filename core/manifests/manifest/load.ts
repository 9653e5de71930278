import { dirname, resolve } from "node:path";
import type { Readable } from "node:stream";
import type { Problem } from "../../problems/problem.ts";
import type { Restriction } from "../../model/addresses/restriction.ts";
import { escapeControl } from "../../values/text.ts";
import type { Fields } from "../../values/json.ts";
import type { FieldSchema } from "../../model/kinds/index.ts";
import { besideOnDisk, type FilesBeside, withFilesBeside } from "./included-files.ts";
import type { DefaultsDocument, ManifestDocument, PositionedContent } from "./document.ts";
import { findFiles, type FoundFile, unreadable } from "../../source/files.ts";
import { expandTemplates, type FetchTemplate } from "./expand.ts";
import { parseManifest } from "./manifest-text.ts";
import { readFile, readStream } from "../../source/read.ts";
import { decodeText, tooLarge } from "../../source/text.ts";
import { Variables } from "../../source/variables.ts";
import { layDefaults, restrictionOf, schemaOfDefaults, withDefaults } from "./defaults.ts";
import { layDocuments } from "./layers.ts";
import {
  addFile,
  type LoadedSource,
  nothingParsed,
  type ParsedManifest,
  type Template,
} from "./parsed-manifest.ts";

/** The documents of all files, and the problems. */
export interface LoadedManifests {
  documents: ManifestDocument[];
  problems: Problem[];
  /** Declarations about resources without documents of their own: defaults. */
  restrictions: Restriction[];
  files: number;
}

/** With its sources, for changes of the files. */
export interface LoadedFiles extends LoadedManifests {
  /** The documents of each source before they are combined. */
  sources: LoadedSource[];
  realPaths: ReadonlySet<string>;
  /** The number of fields with the text of a file, by its real path. */
  filesBeside: ReadonlyMap<string, number>;
}

export interface LoadOptions {
  /** The stream that `-` reads; default: the standard input of the process. */
  standardInput?: Readable;
  /** Ends the wait for standard input and pipes. */
  signal?: AbortSignal | undefined;
  /** Whether the user names the settings file; then settings files in subfolders are allowed. */
  settingsAreNamed?: boolean;
  /** The values of `${NAME}`; default: none is set. */
  variables?: Variables;
  /** Reads templates of other repositories; without it, none is used. */
  fetchTemplate?: FetchTemplate;
  /** Reads the files beside a manifest, by its real path; default: on the disk. */
  besideOf?: ((manifest: string) => FilesBeside) | undefined;
}

const standardInput = "-";

/** Reads manifests: files, folders, and `-` for standard input, each overlaid on the earlier ones. No manifest at all is a problem. */
export async function loadManifests(
  sources: readonly string[],
  options: LoadOptions = {},
): Promise<LoadedFiles> {
  const given: LoadedSource[] = [];
  const seen = new Set<string>();
  const filesBeside = new Map<string, number>();
  for (const source of sources) {
    const { files, problems } =
      source === standardInput
        ? { files: [{ name: source, realPath: source }], problems: [] }
        : findFiles(source, options);
    const unseen = files.filter(({ realPath }) => !seen.has(realPath) && seen.add(realPath));
    given.push(await readSource(unseen, problems, { ...options, filesBeside }));
  }
  const read = await expandTemplates(given, options.fetchTemplate);
  const { documents, problems, restrictions } = combine(read);
  if (read.every(isSilent)) problems.push(nothing(sources));
  const files = read.reduce((sum, source) => sum + source.files, 0);
  return { documents, problems, restrictions, files, sources: read, realPaths: seen, filesBeside };
}

export function combine(read: readonly LoadedSource[]) {
  const defaults = layDefaults(read.map((source) => source.defaults));
  const layered = layDocuments(read.map((source) => source.documents));
  return {
    documents: layered.documents.map((document) => withDefaults(document, defaults.defaults)),
    problems: [...read.flatMap((source) => source.problems), ...defaults.problems, ...layered.problems],
    restrictions: defaults.defaults.map(restrictionOf),
  };
}

export function isSilent({ documents, defaults, templates, uses, problems }: LoadedSource): boolean {
  return documents.length + defaults.length + templates.length + uses.length + problems.length === 0;
}

async function readSource(
  files: readonly FoundFile[],
  problems: readonly Problem[],
  options: LoadOptions & { filesBeside: Map<string, number> },
): Promise<LoadedSource> {
  const source: LoadedSource = { ...nothingParsed([...problems]), files: files.length };
  for (const file of files) addFile(source, await readManifest(file, options));
  return source;
}

async function readManifest(
  file: FoundFile,
  {
    standardInput: input,
    signal,
    variables = new Variables(),
    filesBeside,
    besideOf = (manifest) => besideOnDisk(manifest, filesBeside),
  }: LoadOptions & { filesBeside: Map<string, number> },
): Promise<ParsedManifest> {
  try {
    const content =
      file.realPath === standardInput
        ? await readStream(input ?? process.stdin, signal)
        : await readFile(file.realPath, signal);
    const beside = file.realPath === standardInput ? undefined : besideOf(file.realPath);
    return await withTexts(parseContent(content, file.name, variables), beside, folderOf(file));
  } catch (error) {
    return nothingParsed([unreadable(file.name, error)]);
  }
}

/** The folder in the name of a manifest, unless the name is a link from elsewhere. */
function folderOf({ name, realPath }: FoundFile): string | undefined {
  if (realPath === standardInput) return undefined;
  return resolve(name) === realPath ? dirname(name) : dirname(realPath);
}

export async function withTexts(
  parsed: ParsedManifest,
  beside: FilesBeside | undefined,
  folder?: string,
): Promise<ParsedManifest> {
  const problems = [...parsed.problems];
  const complete = async <One extends PositionedContent & { fields: Fields }>(
    schema: FieldSchema,
    one: One,
  ): Promise<One> => {
    const read = await withFilesBeside(schema, one.fields, one, beside, folder);
    problems.push(...read.problems);
    return { ...one, fields: read.fields };
  };
  const documents: ManifestDocument[] = [];
  for (const document of parsed.documents) documents.push(await complete(document.kind.fields, document));
  const defaults: DefaultsDocument[] = [];
  for (const one of parsed.defaults) defaults.push(await complete(schemaOfDefaults(one), one));
  const templates = parsed.templates.map((template): Template => ({
    ...template,
    complete: (made) => withTexts(made, beside, folder),
  }));
  return { documents, defaults, templates, uses: parsed.uses, problems };
}

/** The documents in the content of a file; undefined if it is too large. */
export function parseContent(
  content: Uint8Array | undefined,
  name: string,
  variables: Variables,
): ParsedManifest {
  const decoded = content === undefined ? { mistake: tooLarge } : decodeText(content);
  if ("text" in decoded) return parseManifest(decoded.text, name, variables);
  const { message, advice } = decoded.mistake;
  return nothingParsed([{ code: "unreadable", message: `${escapeControl(name)} ${message}`, advice }]);
}

export function nothing(sources: readonly string[]): Problem {
  return sources.length === 0
    ? {
        code: "argument",
        message: "no manifests are named",
        advice: "name files or folders, or - for standard input",
        remedies: [{ begin: true }],
      }
    : {
        code: "nothing_found",
        message: `no manifests found in ${sources.map((source) => (source === "-" ? "standard input" : escapeControl(source))).join(", ")}`,
        advice: "nothing is deleted because of missing manifests; name a file or folder with manifests",
        remedies: [{ begin: true }],
      };
}
