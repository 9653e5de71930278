import { posix } from "node:path";
import type { Problem } from "../problem.ts";
import { isLeftOut, isManifest, settingsBelow, settingsFileName } from "../source/files.ts";
import { Variables } from "../source/variables.ts";
import { absent, type FilesBeside, outside } from "./beside.ts";
import {
  combine,
  isSilent,
  type LoadedManifests,
  type LoadedSource,
  nothing,
  parseContent,
  withTexts,
} from "./load.ts";
import { ParsedFiles } from "./parsed-files.ts";

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
export function manifestPaths({ paths }: Pick<GivenFolder, "paths">): string[] {
  return paths.filter((path) => isManifest(path) && !path.split("/").some(isLeftOut)).toSorted();
}

/**
 * Reads the manifests of a folder, as `loadManifests` reads those of a folder on the disk.
 *
 * @param options `parsedBefore`: from the last call, with the same variables
 */
export async function loadFolder(
  folder: GivenFolder,
  {
    variables = new Variables(),
    parsedBefore = new ParsedFiles(),
  }: { variables?: Variables; parsedBefore?: ParsedFiles } = {},
): Promise<LoadedManifests> {
  const known = new Set(folder.paths);
  const manifests = manifestPaths(folder);
  const source: LoadedSource = {
    documents: [],
    defaults: [],
    problems: settingsProblems(folder),
    files: manifests.length,
  };
  for (const path of manifests) {
    const name = posix.join(folder.name, path);
    const parse = async () => parseContent(await folder.read(path), name, variables);
    const id = folder.idOf?.(path);
    const parsed = await withTexts(
      id === undefined ? await parse() : await parsedBefore.of(name, id, parse),
      filesBeside(folder, known, path),
    );
    for (const document of parsed.documents) source.documents.push(document);
    source.defaults.push(...parsed.defaults);
    source.problems.push(...parsed.problems);
  }
  parsedBefore.forgetOthers();
  const { documents, problems } = combine([source]);
  if (isSilent(source)) problems.push(nothing([folder.name]));
  return { documents, problems, files: source.files };
}

function settingsProblems({ name, paths }: GivenFolder): Problem[] {
  return paths
    .filter((path) => posix.basename(path) === settingsFileName && path !== settingsFileName)
    .filter((path) => !posix.dirname(path).split("/").some(isLeftOut))
    .map((path) => settingsBelow(posix.join(name, posix.dirname(path)), name));
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
