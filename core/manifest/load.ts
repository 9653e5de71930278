import type { Readable } from "node:stream";
import type { Problem } from "../problem.ts";
import { escapeControl } from "../text.ts";
import type { ManifestDocument } from "./document.ts";
import { findFiles, type FoundFile, unreadable } from "../source/files.ts";
import { parseManifest, type ParsedManifest } from "./parse.ts";
import { readFile, readStream } from "../source/read.ts";
import { decodeText, tooLarge } from "../source/text.ts";

/** What files say, and what is wrong with them. */
export interface LoadedManifests {
  documents: ManifestDocument[];
  problems: Problem[];
  /** How many files were read. */
  files: number;
}

/** How files are read. */
export interface LoadOptions {
  /** What `-` stands for; that of the process when left out. */
  standardInput?: Readable;
  /** Ends the wait for standard input and for pipes. */
  signal?: AbortSignal;
  /** Whether the settings file is chosen by name, so that one below a folder misleads nobody. */
  settingsAreNamed?: boolean;
}

/** What standard input is called. */
const standardInput = "-";

/**
 * Reads manifests: files, folders with all that is in them, and `-` for standard input. A file that is named twice is
 * read once. Whatever is wrong, in whichever file, is a problem with its place; so is that there is nothing at all.
 */
export async function loadManifests(
  sources: readonly string[],
  options: LoadOptions = {},
): Promise<LoadedManifests> {
  const loaded: LoadedManifests = { documents: [], problems: [], files: 0 };
  const seen = new Set<string>();
  for (const source of sources) {
    const { files, problems } =
      source === standardInput
        ? { files: [{ name: source, realPath: source }], problems: [] }
        : findFiles(source, options);
    loaded.problems.push(...problems);
    for (const file of files) {
      if (seen.has(file.realPath)) continue;
      seen.add(file.realPath);
      await load(file, options, loaded);
    }
  }
  if (loaded.documents.length === 0 && loaded.problems.length === 0) loaded.problems.push(nothing(sources));
  return loaded;
}

async function load(
  file: FoundFile,
  { standardInput: input = process.stdin, signal }: LoadOptions,
  loaded: LoadedManifests,
): Promise<void> {
  loaded.files += 1;
  try {
    const content =
      file.realPath === standardInput
        ? await readStream(input, signal)
        : await readFile(file.realPath, signal);
    const { documents, problems } = parseContent(content, file.name);
    for (const document of documents) loaded.documents.push(document);
    loaded.problems.push(...problems);
  } catch (error) {
    loaded.problems.push(unreadable(file.name, error));
  }
}

function parseContent(content: Uint8Array | undefined, name: string): ParsedManifest {
  const decoded = content === undefined ? { fault: tooLarge } : decodeText(content);
  if ("text" in decoded) return parseManifest(decoded.text, name);
  const { message, advice } = decoded.fault;
  return { documents: [], problems: [{ message: `${escapeControl(name)} ${message}`, advice }] };
}

function nothing(sources: readonly string[]): Problem {
  return sources.length === 0
    ? { message: "no manifests are named", advice: "name files or folders, or - for standard input" }
    : {
        message: `no manifests found in ${sources.map(escapeControl).join(", ")}`,
        advice: "name files that describe something; to delete what was described, use destroy or --prune",
      };
}
