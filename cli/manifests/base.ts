import { existsSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative, resolve } from "node:path";
import { type DesiredResource, filesBesideIn } from "../../core/manifests/manifest/index.ts";
import { InvalidInputError, refusal, type Problem } from "../../core/problems/problem.ts";
import { isManifest, settingsFileName } from "../../core/source/files.ts";
import { ignoreFileName } from "../../core/source/ignore-files.ts";
import { type CommittedFile, type CommittedLink, readFolder, refsAround } from "../../adapters/git/index.ts";
import type { SourceFlags } from "../flags.ts";
import type { Io } from "../terminal/io.ts";
import { environmentsOfCommit, insideFolder, settingsFrom } from "../settings/file.ts";
import {
  type ChosenSources,
  chooseSources,
  plainSources,
  type ManifestSet,
  type ManifestContents,
  readChosen,
} from "./manifests.ts";

/** Reads the base of a change: another folder, or the same sources at a reference of their repository. */
export async function readBase(
  base: string,
  sources: readonly string[],
  flags: SourceFlags,
  io: Io,
): Promise<readonly DesiredResource[]> {
  const chosen = await chooseSources(sources, flags, io);
  if (chosen.problems.length > 0) throw new InvalidInputError(chosen.problems);
  const folder = await stat(base).catch(() => undefined);
  if (folder) await refuseAmbiguous(base, io);
  const { resources, problems } = folder
    ? await readChosen(await inFolder(base, chosen, sources, flags, io), flags, io)
    : await readAtReference(base, chosen, flags, io);
  if (problems.length === 0) return resources;
  throw new InvalidInputError(problems);
}

/** Refuses the name of a folder that is one of a branch or a tag too: nobody would see which of them was meant. */
async function refuseAmbiguous(name: string, { env, signal }: Io): Promise<void> {
  const [ref] = /^\.{0,2}\//.test(name) ? [] : await refsAround(process.cwd(), name, { env, signal });
  if (ref === undefined) return;
  throw refusal("argument", `${name} is the name of a folder and of ${ref}`, `write ./${name} or ${ref}`);
}

/** The resources that another folder describes: all of it, or the same environments, by its own settings file. */
async function inFolder(
  base: string,
  { settingsFile }: ChosenSources,
  sources: readonly string[],
  flags: SourceFlags,
  io: Io,
): Promise<ChosenSources> {
  if (settingsFile === undefined) return plainSources([base]);
  return chooseSources(sources, { ...flags, config: join(base, basename(settingsFile)) }, io);
}

async function readAtReference(
  reference: string,
  chosen: ChosenSources,
  flags: SourceFlags,
  io: Io,
): Promise<Pick<ManifestContents, "resources" | "problems">> {
  if (chosen.sources.includes("-"))
    throw refusal(
      "argument",
      "standard input has no earlier version to compare with",
      "name files and folders of a repository",
    );
  const [declared] = await readSetsAt(reference, [await setsAtReference(reference, chosen, io)], flags, io);
  return declared ?? nothing;
}

const nothing: Pick<ManifestContents, "resources" | "problems"> = { resources: [], problems: [] };

/** Reads groups of sources at a reference, with its files of variables; of a missing source, nothing. */
export async function readSetsAt(
  reference: string,
  groups: readonly (readonly ManifestSet[])[],
  flags: SourceFlags,
  io: Io,
): Promise<Pick<ManifestContents, "resources" | "problems">[]> {
  const all = groups.flat();
  if (all.length === 0) return groups.map(() => nothing);
  const { varFile = [] } = flags;
  const named = all.flatMap(({ sources, environment }) => [
    ...sources,
    ...(environment?.variableFiles ?? []),
  ]);
  // An ignore file above a folder counts up to the settings file.
  const above = named.flatMap((name) =>
    [ignoreFileName, settingsFileName].flatMap((file) => filesAbove(dirname(resolve(name)), "/", file)),
  );
  const others = [...new Set([...varFile, ...above])];
  const { top, files, links, all: there } = await filesAtReference(reference, named, io, others);
  const besideIn = filesBesideIn({ ...there, name: reference });
  const copy = realpathSync.native(await mkdtemp(join(tmpdir(), "infrasync-base-")));
  try {
    writeCommitted(copy, files, links);
    const inCopy = (path: string) => join(copy, relative(top, resolve(path)));
    const itsFlags = {
      ...flags,
      varFile: varFile.map((file) => (existsSync(inCopy(file)) ? inCopy(file) : file)),
    };
    const declared = [];
    for (const group of groups) {
      const out: Problem[] = [];
      const sets = group.flatMap(({ sources, environment }): ManifestSet[] => {
        // The base lacks the additions of a change.
        const present = files.length > 0 ? sources.map(inCopy).filter((source) => isThere(source, copy)) : [];
        if (present.length === 0) return [];
        if (!environment) return [{ sources: present }];
        const variableFiles = environment.variableFiles.map(inCopy);
        const inside = insideFolder({ ...environment, sources: present, variableFiles }, copy);
        out.push(...inside.problems);
        return [{ sources: present, environment: inside.environment }];
      });
      const read =
        sets.length === 0
          ? nothing
          : await readChosen({ ...plainSources([]), sets }, itsFlags, io, {
              isPast: true,
              besideOf: (manifest) => besideIn(relative(copy, manifest)),
            });
      declared.push({
        resources: read.resources,
        problems: [...out, ...read.problems].map((problem) => renamed(problem, `${copy}/`, `${reference}:`)),
      });
    }
    return declared;
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

/** Writes files of a commit to a folder; those behind a link are there by the link. */
function writeCommitted(
  folder: string,
  files: readonly CommittedFile[],
  links: readonly CommittedLink[],
): void {
  const real = files.filter(
    ({ path }) => !links.some((link) => path === link.path || path.startsWith(`${link.path}/`)),
  );
  for (const inside of new Set([...real, ...links].map(({ path }) => dirname(path))))
    mkdirSync(join(folder, inside), { recursive: true });
  for (const { path, content } of real) writeFileSync(join(folder, path), content);
  for (const { path, target } of links) symlinkSync(target, join(folder, path));
}

/** The files of a name that a folder could have: in it, and above it up to the top of the repository. */
export function filesAbove(folder: string, top: string, name: string): string[] {
  const own = join(folder, name);
  return folder === top || dirname(folder) === folder
    ? [own]
    : [own, ...filesAbove(dirname(folder), top, name)];
}

/** Whether a copy of a commit has this file or folder; a link may lead out of the copy. */
function isThere(source: string, copy: string): boolean {
  return existsSync(source) && !relative(copy, realpathSync.native(source)).startsWith("..");
}

/** The chosen environments, as the settings file of a reference describes them. @throws InvalidInputError */
async function setsAtReference(
  reference: string,
  { sets, settingsFile }: ChosenSources,
  io: Io,
): Promise<readonly ManifestSet[]> {
  if (settingsFile === undefined) return sets;
  const [file] = (await filesAtReference(reference, [settingsFile], io)).files;
  if (!file) return [];
  const { environments, problems } = await environmentsOfCommit(
    await settingsFrom(file.content, settingsFile),
  );
  if (problems.length > 0)
    throw new InvalidInputError(
      problems.map((problem) => ({ ...problem, message: `at ${reference}: ${problem.message}` })),
    );
  return sets.flatMap(({ environment: now }) => {
    const environment = environments.find(({ name }) => name === now?.name);
    return environment ? [{ sources: environment.sources, environment }] : [];
  });
}

/** @param others files that may lie outside of the repository, and are left out then */
async function filesAtReference(
  reference: string,
  paths: readonly string[],
  { env, signal }: Io,
  others: readonly string[] = [],
) {
  const places = paths.map((path) => resolve(path));
  const first = places.find((place) => existsSync(place)) ?? ".";
  const folder = (await stat(first)).isDirectory() ? first : dirname(first);
  // A file beside a manifest is read when the manifest names it: a repository has more of other files.
  const isDesired = (path: string) => isManifest(path) || basename(path) === ignoreFileName;
  const read = (all: readonly string[]) => readFolder(folder, reference, all, { env, signal, isDesired });
  if (others.length === 0) return read(places);
  const { top } = await read([]);
  const inside = others.map((path) => resolve(path)).filter((path) => !relative(top, path).startsWith(".."));
  return read([...places, ...inside]);
}

/** A problem with the place in the commit instead of that in the copy. */
function renamed(problem: Problem, copy: string, name: string): Problem {
  const { position } = problem;
  return {
    ...problem,
    message: problem.message.replaceAll(copy, name),
    ...(position && { position: { ...position, file: position.file.replace(copy, name) } }),
  };
}
