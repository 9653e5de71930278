import { createReadStream, readFileSync, statSync } from "node:fs";
import type { Problem } from "../problem.ts";
import { escapeControl } from "../text.ts";
import type { ManifestDocument } from "./document.ts";
import { findFiles, type FoundFile, unreadable } from "./files.ts";
import { maximumBytes } from "./limits.ts";
import { parseManifest, type ParsedManifest } from "./parse.ts";
import { decodeText, tooLarge } from "./text.ts";

/** What files say, and what is wrong with them. */
export interface LoadedManifests {
  documents: ManifestDocument[];
  problems: Problem[];
  /** How many files were read. */
  files: number;
}

/** Where standard input comes from. */
export interface StandardInput {
  /** All of it; undefined when it is too much. */
  readStandardInput(): Promise<string | Uint8Array | undefined>;
}

/** What standard input is called. */
const standardInput = "-";

/**
 * Reads manifests: files, folders with all that is in them, and `-` for standard input. A file that is named twice is
 * read once. Whatever is wrong, in whichever file, is a problem with its place; so is that there is nothing at all.
 *
 * @param io replaces standard input
 */
export async function loadManifests(
  sources: readonly string[],
  io: StandardInput = { readStandardInput: () => readBounded(process.stdin) },
): Promise<LoadedManifests> {
  const loaded: LoadedManifests = { documents: [], problems: [], files: 0 };
  const seen = new Set<string>();
  for (const source of sources) {
    const { files, problems } =
      source === standardInput
        ? { files: [{ name: source, realPath: source }], problems: [] }
        : findFiles(source);
    loaded.problems.push(...problems);
    for (const file of files) {
      if (seen.has(file.realPath)) continue;
      seen.add(file.realPath);
      await load(file, io, loaded);
    }
  }
  if (loaded.documents.length === 0 && loaded.problems.length === 0) loaded.problems.push(nothing(sources));
  return loaded;
}

async function load(file: FoundFile, io: StandardInput, loaded: LoadedManifests): Promise<void> {
  loaded.files += 1;
  try {
    const content =
      file.realPath === standardInput ? await io.readStandardInput() : await readFile(file.realPath);
    const { documents, problems } = parseContent(content, file.name);
    for (const document of documents) loaded.documents.push(document);
    loaded.problems.push(...problems);
  } catch (error) {
    loaded.problems.push(unreadable(file.name, error));
  }
}

function parseContent(content: string | Uint8Array | undefined, name: string): ParsedManifest {
  if (typeof content === "string") return parseManifest(content, name);
  const decoded = content === undefined ? { fault: tooLarge } : decodeText(content);
  if ("text" in decoded) return parseManifest(decoded.text, name);
  const { message, advice } = decoded.fault;
  return { documents: [], problems: [{ message: `${escapeControl(name)} ${message}`, advice }] };
}

/** What a file holds; undefined when it is too much. */
async function readFile(path: string): Promise<Uint8Array | undefined> {
  const stats = statSync(path);
  // A pipe has no size.
  if (!stats.isFile()) return readBounded(createReadStream(path));
  return stats.size > maximumBytes ? undefined : readFileSync(path);
}

/** What a stream gives; undefined when it is too much. */
async function readBounded(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    length += chunk.byteLength;
    if (length > maximumBytes) return undefined;
  }
  return Buffer.concat(chunks);
}

function nothing(sources: readonly string[]): Problem {
  return sources.length === 0
    ? { message: "no manifests are named", advice: "name files or folders, or - for standard input" }
    : {
        message: `no manifests found in ${sources.map(escapeControl).join(", ")}`,
        advice: "name files that describe something; to delete what was described, use destroy or --prune",
      };
}
