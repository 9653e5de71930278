import { realpathSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { InvalidInputError, refusal } from "../core/problems/problem.ts";
import { settingsFileName } from "../core/source/files.ts";
import { type CommittedFile, readFolder } from "../adapters/git/index.ts";
import type { SourceFlags } from "../cli/flags.ts";
import { environmentsOfCommit, settingsFrom } from "../cli/settings/file.ts";
import { filesAbove, readSetsAt } from "../cli/manifests/base.ts";
import { type ChosenSources, chooseSources, type ManifestSet } from "../cli/manifests/manifests.ts";
import type { Io } from "../cli/terminal/io.ts";

/** Reads earlier commits of the repository for the checkout of a job. */
export interface Past {
  chosen: ChosenSources;
  top: string;
  /** The read folders, and those of the files. */
  places: readonly string[];
}

/** @throws InvalidInputError, GitError */
export async function pastOf(sources: readonly string[], flags: SourceFlags, io: Io): Promise<Past> {
  const chosen = await chooseSources(sources, flags, io);
  if (chosen.problems.length > 0) throw new InvalidInputError(chosen.problems);
  const { settingsFile } = chosen;
  const places = [...chosen.sources, ...(settingsFile === undefined ? [] : [settingsFile])].map(folderOf);
  const { env, signal } = io;
  const { top } = await readFolder(process.cwd(), "HEAD", [], { env, signal });
  return { chosen, top, places: [...new Set(places)] };
}

/** Reads the resources of a commit, and its settings files, with its own sources, even if the change moves them; `isNext`: without any of them, searches it for manifests. */
export async function readPast(commit: string, past: Past, isNext: boolean, flags: SourceFlags, io: Io) {
  const { chosen, places } = past;
  const settings = await settingsAt(commit, past, places, flags, io);
  const declared = await Promise.all(
    settings.map(async ({ content, path }) => environmentsOfCommit(await settingsFrom(content, path))),
  );
  const problems = declared.flatMap((each) => each.problems);
  if (problems.length > 0) throw new InvalidInputError(problems);
  const environments = declared.flatMap((each) => each.environments);
  const asThen = (set: ManifestSet): ManifestSet[] => {
    const environment = environments.find(({ name }) => name === set.environment?.name);
    return environment ? [{ sources: environment.sources, environment }] : set.environment ? [] : [set];
  };
  const own = chosen.sets.flatMap(asThen);
  const known = new Set(own.map(({ environment }) => environment?.name));
  const others = [
    ...environments.map((environment): ManifestSet => ({ sources: environment.sources, environment })),
    ...chosen.sets,
  ].filter(({ environment }) => environment && !known.has(environment.name));
  const itsFlags = { ...flags, set: [] };
  const groups = [own, ...others.map((each) => [each])];
  const [contents, ...ofOthers] = await readSetsAt(commit, groups, itsFlags, io);
  if (contents && contents.problems.length > 0) throw new InvalidInputError(contents.problems);
  const found = [contents, ...ofOthers].flatMap((each) => each?.resources ?? []);
  const further = others.flatMap(({ sources }) => sources.map(folderOf));
  if (found.length > 0 || !isNext)
    return { resources: found, settings: await settingsAt(commit, past, [...places, ...further], flags, io) };
  return everythingAt(commit, past, settings, itsFlags, io);
}

/** All readable manifests and all settings files of a commit: the change may have moved their folder. */
async function everythingAt(
  commit: string,
  { top }: Past,
  settings: readonly CommittedFile[],
  flags: SourceFlags,
  io: Io,
) {
  const { env, signal } = io;
  const isSettings = (path: string) => basename(path) === settingsFileName;
  const [all] = await readSetsAt(commit, [[{ sources: [top] }]], flags, io);
  const { files } = await readFolder(top, commit, [top], { env, signal, isDesired: isSettings });
  const known = new Set(settings.map(({ path }) => path));
  // Targets of links are read as well.
  const others = files
    .filter(({ path }) => isSettings(path))
    .map(({ path, content }) => ({ path: fromHere(join(top, path)), content }));
  return {
    resources: all?.resources ?? [],
    settings: [...settings, ...others.filter(({ path }) => !known.has(path))],
  };
}

/** The settings files of a commit in or above folders, for each the nearest, and the one that a flag names. */
async function settingsAt(
  commit: string,
  { top }: Past,
  places: readonly string[],
  { config }: SourceFlags,
  { env, signal }: Io,
): Promise<CommittedFile[]> {
  const ways = [
    ...(config === undefined ? [] : [[resolve(config)]]),
    ...places.map((place) => filesAbove(place, top, settingsFileName)),
  ];
  const files = await committedAt(commit, top, ways.flat(), { env, signal });
  const byPath = new Map(files.map((file) => [join(top, file.path), file]));
  const nearest = ways.flatMap((way) => way.find((path) => byPath.has(path)) ?? []);
  return [...new Set(nearest)].flatMap((path) => {
    const file = byPath.get(path);
    return file ? [{ path: fromHere(path), content: file.content }] : [];
  });
}

/** The files of a commit at paths. An unreadable file does not count as missing. @throws InvalidInputError, GitError */
export async function committedAt(
  commit: string,
  top: string,
  paths: readonly string[],
  io: Pick<Io, "env" | "signal">,
): Promise<CommittedFile[]> {
  const { files, all } = await readFolder(top, commit, [...new Set(paths)], io);
  const read = new Set(files.map(({ path }) => path));
  const lost = paths
    .map((path) => relative(top, path))
    .find((path) => all.links.has(path) && !read.has(path));
  if (lost === undefined) return files;
  throw refusal("setting", `${lost} is a link that leads to no file of the commit`, "commit the file itself");
}

/** The read folder, or that of a file. One that exists only in another commit is taken as named. */
function folderOf(source: string): string {
  try {
    const real = realpathSync(resolve(source));
    return statSync(real).isDirectory() ? real : dirname(real);
  } catch {
    return resolve(source);
  }
}

function fromHere(path: string): string {
  return relative(process.cwd(), path);
}
