import { readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { InvalidInputError, type Problem } from "../../../core/problems/problem.ts";
import { findFiles, isManifest } from "../../../core/source/files.ts";
import { maximumBytes } from "../../../core/source/limits.ts";
import { escapeControl } from "../../../core/values/text.ts";
import { forgeAt, type ManifestPlace } from "../../../adapters/forge/index.ts";
import { GitError, readRepositoryAddress, type Repository, short } from "../../../adapters/git/index.ts";
import { foldersAmong, globOf, type SourceFile, type SourceSet } from "../../../reconciler/index.ts";
import { type RepositoryPlace, repositoryAt } from "../../repository/repository.ts";
import type { Console } from "../../terminal/console.ts";
import { forgeSettings } from "../../repository/forge.ts";

/** The place of the documents of sources: a folder of this machine, or one of a repository. */
export type SourcesPlace = { folder: string } | { repository: RepositoryPlace };

const mostFiles = 10_000;
/** Milliseconds: the next read tries again. */
const longestLimit = 5000;

/** Reads the files of a folder on this machine, also through links, such as those of a ConfigMap. @throws InvalidInputError */
export async function filesOfFolder(folder: string): Promise<SourceFile[]> {
  const { files, problems } = findFiles(folder, { settingsAreNamed: true });
  const wrong = problems.filter(({ code }) => code !== "nothing_found");
  if (wrong.length > 0) throw new InvalidInputError(wrong);
  return Promise.all(
    files
      .slice(0, mostFiles)
      .map(async ({ name, realPath }) => ({
        name: relative(folder, name),
        text: await readFile(realPath, "utf8"),
      })),
  );
}

/** Reads the files of the newest commit of a repository. */
export class CommittedSources {
  readonly #repository: Repository;
  readonly #place: RepositoryPlace;
  #commit: string | undefined;
  #files: readonly SourceFile[] = [];

  constructor(place: RepositoryPlace, folder: string, console: Pick<Console, "io">) {
    this.#place = place;
    this.#repository = repositoryAt(place, folder, console.io);
  }

  /** @throws GitError when it cannot be read, or the commit lacks a required signature */
  async files(): Promise<readonly SourceFile[]> {
    const repository = this.#repository;
    const { path, allowedSigners } = this.#place;
    const commit = await repository.fetch(await repository.newest());
    if (commit === this.#commit) return this.#files;
    if (allowedSigners !== undefined && !(await repository.isSigned(commit, allowedSigners)))
      throw new GitError(
        "failed",
        `the commit ${short(commit)} of the sources is not signed with one of the allowed keys`,
        "sign it; until then the sources stay as they are",
      );
    const entries = (await repository.list(await repository.treeOf(commit, path))).filter(
      (entry) => entry.type === "blob" && isManifest(entry.path),
    );
    const link = entries.find(({ mode }) => mode === "120000");
    if (link)
      throw new GitError(
        "failed",
        `the file of sources ${escapeControl(link.path)} is a symbolic link, which is not followed here`,
        "commit the file itself; until then, the sources stay unchanged",
      );
    const ids = [...new Set(entries.map(({ id }) => id))];
    if (ids.length > mostFiles)
      throw tooLarge(`the folder of the sources has ${ids.length} files, more than ${mostFiles}`);
    const contents = await repository.contents(ids, maximumBytes);
    this.#files = entries.map(({ path: name, id }) => {
      const content = contents.get(id);
      if (!content) throw tooLarge(`the file of sources ${escapeControl(name)} has more than 1 MiB`);
      return { name, text: content.toString() };
    });
    this.#commit = commit;
    return this.#files;
  }
}

/** The error for sources that cannot be read in full: reading a part of them would end the others. */
function tooLarge(message: string): GitError {
  return new GitError("too_large", message, "divide it; until then, the sources stay unchanged");
}

/** Finds the folders and repositories for which sets make sources. */
export class SetPlaces {
  readonly #data: string;
  readonly #console: Console;
  readonly #allowLocal: boolean;
  readonly #repositories = new Map<string, Repository>();

  /** @param data a folder for copies of repositories */
  constructor(data: string, allowLocal: boolean, console: Console) {
    this.#data = data;
    this.#allowLocal = allowLocal;
    this.#console = console;
  }

  /** @throws GitError, ForgeError or InvalidInputError when they cannot be found */
  async of({ name, folders, group }: SourceSet): Promise<ManifestPlace[]> {
    if (folders) {
      const repository = this.#repositoryOf(name, folders);
      const commit = await repository.fetch(await repository.newest());
      const entries = await repository.list(await repository.treeOf(commit, ""));
      const paths = entries.map(({ path }) => path);
      return foldersAmong(paths, folders.match).map((path) => ({ path, repository: folders.repository }));
    }
    const { git_host_api: api, name: path, match } = group ?? { git_host_api: "", name: "" };
    const settings = await forgeSettings(this.#console, api, longestLimit);
    const expression = match === undefined ? undefined : globOf(match);
    return (await forgeAt(api).repositoriesOf(path, settings)).filter(
      (each) => expression?.test(each.path.slice(each.path.lastIndexOf("/") + 1)) !== false,
    );
  }

  #repositoryOf(
    name: string,
    { repository: url, branch = "main" }: NonNullable<SourceSet["folders"]>,
  ): Repository {
    const read = readRepositoryAddress(url, { allowLocal: this.#allowLocal });
    if ("problem" in read) throw new InvalidInputError([read.problem]);
    const key = JSON.stringify([name, url, branch]);
    const known = this.#repositories.get(key);
    if (known) return known;
    const place = { address: read.address, branch, revision: undefined };
    const made = repositoryAt(place, join(this.#data, name), this.#console.io);
    this.#repositories.set(key, made);
    return made;
  }
}

/** Why a set makes no sources now. */
export function problemOfSet(error: unknown, { name }: SourceSet): Problem {
  const problem = error instanceof InvalidInputError ? error.problems[0] : undefined;
  const message = problem?.message ?? (error instanceof Error ? error.message : String(error));
  return {
    code: "setting",
    message: `the set ${name} stays as it was: ${message}`,
    advice: problem?.advice ?? "it is tried again with the next check",
  };
}
