import { posix } from "node:path";
import {
  type DesiredResource,
  fileAt,
  type VirtualFolder,
  loadEnvironments,
  loadFolder,
  type ManifestDocument,
  manifestPaths,
  ParsedFiles,
  toDesired,
} from "../../core/manifests/manifest/index.ts";
import type { Problem } from "../../core/problems/problem.ts";
import type { EnvironmentSettings } from "../../core/source/environments.ts";
import { isInside, isLeftOut, policyFileName, settingsFileName } from "../../core/source/files.ts";
import { maximumBytes } from "../../core/source/limits.ts";
import { escapeControl } from "../../core/values/text.ts";
import type { Variables } from "../../core/source/variables.ts";
import {
  type CommitNote,
  GitError,
  type Repository,
  short,
  type TreeEntry,
} from "../../adapters/git/index.ts";
import { noPolicy, readPolicy, type ReadPolicy } from "../policy/index.ts";

/** The most manifests of a commit, and the most bytes of all of them. */
const mostFiles = 10_000;
const mostBytes = 64 * 1024 * 1024;

/** The earlier states of the manifests that are read if the applied one is unknown. */
const mostBefore = 10;

export interface GivenSettings {
  name: string;
  content: Uint8Array;
}

/** A commit with its policy; `restrictions`: also those on environments and resources that it does not declare. */
export interface LoadedCommit extends Readonly<ReadPolicy> {
  commit: string;
  /** The id of the folder with the manifests, which changes only with its files. */
  tree: string;
  documents: readonly ManifestDocument[];
  resources: readonly DesiredResource[];
  settings?: GivenSettings;
}

export interface CommitSourceSettings {
  /** The folder with the manifests, with `/`; empty: the whole repository. */
  path: string;
  variables: Variables;
  /** A file of ssh keys, one of which has to sign each commit; absent: commits need no signature. */
  allowedSigners?: string | undefined;
  /** The environments of a settings file, with paths in its folder; absent: all manifests form one whole. */
  environmentsOf?(file: GivenSettings): Promise<{ environments: readonly EnvironmentSettings[] }>;
}

/** Reads the manifests of commits. An unchanged folder is not read again, otherwise only new files are. */
export class CommitSource {
  readonly #repository: Repository;
  readonly #settings: CommitSourceSettings;
  #last: LoadedCommit | undefined;
  /** The last commit with a valid signature. */
  #signed: string | undefined;
  #contents = new Map<string, Uint8Array | undefined>();
  readonly #parsed = new ParsedFiles();
  #past: CommitSource | undefined;

  constructor(repository: Repository, settings: CommitSourceSettings) {
    this.#repository = repository;
    this.#settings = settings;
  }

  /** The newest commit of the branch. @throws GitError when it cannot be read, or not completely */
  async newest(): Promise<LoadedCommit> {
    const commit = await this.#repository.fetch(await this.#repository.newest());
    if (this.#last?.commit !== commit) {
      const tree = await this.#repository.treeOf(commit, this.#settings.path);
      this.#last = this.#last?.tree === tree ? { ...this.#last, commit } : await this.#load(commit, tree);
    }
    const unsigned = await this.#unsigned(commit);
    return { ...this.#last, problems: [...this.#last.problems, ...unsigned] };
  }

  /** The earlier commits with other manifests, newest first, without those with mistakes. @throws GitError */
  async *before({ commit }: Pick<LoadedCommit, "commit">): AsyncGenerator<LoadedCommit> {
    const unsigned = { ...this.#settings, allowedSigners: undefined };
    const past = (this.#past ??= new CommitSource(this.#repository, unsigned));
    for (const state of await this.#repository.statesBefore(commit, this.#settings.path, mostBefore)) {
      const loaded = await past.earlier(state);
      if (loaded && loaded.problems.length === 0) yield loaded;
    }
  }

  /** The last commits that changed the manifests, with the one itself. `isWhole`: there are no others. @throws GitError */
  async changes({
    commit,
  }: Pick<LoadedCommit, "commit">): Promise<{ commits: Map<string, CommitNote>; isWhole: boolean }> {
    const commits = await this.#repository.changesOf(commit, this.#settings.path, mostBefore + 2);
    return { commits, isWhole: commits.size < mostBefore + 2 };
  }

  /** An earlier newest commit, if the copy has it. @throws GitError when the remote does not give its contents */
  async earlier({ commit, tree }: Pick<LoadedCommit, "commit" | "tree">): Promise<LoadedCommit | undefined> {
    const isThere = await this.#repository.has(tree);
    if (!isThere) return undefined;
    const loaded = await this.#load(commit, tree);
    return { ...loaded, problems: [...loaded.problems, ...(await this.#unsigned(commit))] };
  }

  async #unsigned(commit: string): Promise<Problem[]> {
    const { allowedSigners } = this.#settings;
    if (allowedSigners === undefined || this.#signed === commit) return [];
    if (await this.#repository.isSigned(commit, allowedSigners)) {
      this.#signed = commit;
      return [];
    }
    return [
      {
        code: "invalid",
        message: `the commit ${short(commit)} has no signature by an ssh key that is allowed`,
        advice: "push a signed commit, or add the key of its author to the allowed signers",
      },
    ];
  }

  async #linksOf(
    commit: string,
    entries: readonly TreeEntry[],
  ): Promise<Pick<Required<VirtualFolder>, "links" | "filesOutside">> {
    const found = entries.filter(({ mode }) => mode === symbolicLink);
    const ids = [...new Set(found.map(({ id }) => id))];
    const targets = await this.#repository.contents(ids, maximumBytes);
    const links = new Map<string, string>();
    const outside = new Map<string, string>();
    for (const { path, id } of found) {
      const target = String(targets.get(id) ?? "");
      const here = posix.join(this.#settings.path, posix.dirname(path));
      const end = posix.join(here, target);
      const isOut = !isInside(end, this.#settings.path);
      // The folder does not know its own name.
      const goesRound = /^\.\.\/(?!.*[^./]\/\.\.)/.test(target) && !isOut;
      links.set(path, goesRound ? posix.relative(here, end) || "." : target);
      if (isOut && isInside(end, "") && !posix.isAbsolute(target)) outside.set(path, end);
    }
    const there = await this.#repository.at(commit, [...new Set(outside.values())]);
    const files = new Set(there.filter(isFile).map(({ path }) => path));
    const filesOutside = [...outside].flatMap(([path, end]) => (files.has(end) ? path : []));
    return { links, filesOutside: new Set(filesOutside) };
  }

  async #load(commit: string, tree: string): Promise<LoadedCommit> {
    const entries = await this.#repository.list(tree);
    const files = new Map(entries.filter(isFile).map((entry) => [entry.path, entry.id]));
    const folder: VirtualFolder = {
      name: this.#settings.path === "" ? "." : this.#settings.path,
      paths: [...files.keys()],
      ...(await this.#linksOf(commit, entries)),
      submodules: entries.filter(({ type }) => type === "commit").map(({ path }) => path),
      read: async (path) => {
        const id = files.get(path) ?? "";
        if (!this.#contents.has(id)) await this.#readContents([id, ...this.#contents.keys()]);
        return this.#contents.get(id);
      },
      idOf: (path) => files.get(path) ?? "",
    };
    const paths = await manifestPaths(folder);
    if (paths.length > mostFiles)
      throw new GitError(
        "too_large",
        `the commit ${short(commit)} has ${paths.length} manifests, more than the ${mostFiles} that are read`,
        "split the folder",
      );
    const [settingsPath, policyPath] = [settingsFileName, policyFileName].map((name) => fileAt(folder, name));
    const all = [...paths, settingsPath, policyPath].filter((path) => path !== undefined);
    await this.#readContents(all.map((path) => files.get(path) ?? ""));
    const settings = settingsPath === undefined ? undefined : await folder.read(settingsPath);
    const file = settings && { name: joined(folder.name, settingsFileName), content: settings };
    const declared = file && (await this.#settings.environmentsOf?.(file));
    const options = { variables: this.#settings.variables, parsedBefore: this.#parsed };
    const { documents, problems, restrictions } = declared?.environments.length
      ? await loadEnvironments(folder, declared.environments, options)
      : await loadFolder(folder, options);
    const desired = toDesired(documents);
    const { policy, problems: ofPolicy, restrictions: restricting } = await policyIn(folder, policyPath);
    return {
      commit,
      tree,
      documents,
      resources: desired.resources,
      policy,
      restrictions: [...restrictions, ...restricting],
      problems: [
        ...lostFiles(folder),
        ...unreadableNames(folder.name, paths),
        ...misplacedPolicies(folder),
        ...ofPolicy,
        ...problems,
        ...desired.problems,
      ],
      ...(file && { settings: file }),
    };
  }

  async #readContents(ids: readonly string[]): Promise<void> {
    const missing = [...new Set(ids)].filter((id) => !this.#contents.has(id));
    const read = await this.#repository.contents(missing, maximumBytes);
    this.#contents = new Map(ids.map((id) => [id, read.has(id) ? read.get(id) : this.#contents.get(id)]));
    const bytes = [...this.#contents.values()].reduce((sum, content) => sum + (content?.length ?? 0), 0);
    if (bytes > mostBytes)
      throw new GitError("too_large", `the manifests have ${bytes} bytes`, "split the folder");
  }
}

async function policyIn({ name, read }: VirtualFolder, path: string | undefined): Promise<ReadPolicy> {
  const none = { policy: noPolicy, problems: [], restrictions: [] };
  if (path === undefined) return none;
  const content = await read(path);
  const file = joined(name, policyFileName);
  if (content) return readPolicy(content, file);
  const message = `${escapeControl(file)} is too large`;
  return { ...none, problems: [{ code: "unreadable", message, advice: "shorten it" }] };
}

/** A policy in a subfolder would be ignored without notice. */
function misplacedPolicies({ name, paths }: VirtualFolder): Problem[] {
  return paths
    .filter((path) => posix.basename(path) === policyFileName && path !== policyFileName)
    .filter((path) => !posix.dirname(path).split("/").some(isLeftOut))
    .map((path) => ({
      code: "setting",
      message: `${escapeControl(joined(name, path))} would be ignored: there is one policy, in ${escapeControl(name)}`,
      advice: `move it to ${escapeControl(joined(name, policyFileName))}`,
    }));
}

const symbolicLink = "120000";

function isFile({ mode, type }: TreeEntry): boolean {
  return type === "blob" && mode !== symbolicLink;
}

/** Broken links in the places of the settings file and of the policy: their rules would be missing. */
function lostFiles(folder: VirtualFolder): Problem[] {
  return [settingsFileName, policyFileName]
    .filter((name) => folder.links?.has(name) && fileAt(folder, name) === undefined)
    .map((name) => ({
      code: "unreadable",
      message: `${escapeControl(joined(folder.name, name))} is a symbolic link that leads to no file in ${escapeControl(folder.name)}`,
      advice: "put the file itself there",
    }));
}

/** Two names that are not UTF-8 can be read as the same text: one of the files would replace the other. */
function unreadableNames(folder: string, paths: readonly string[]): Problem[] {
  return paths
    .filter((path) => path.includes("\uFFFD"))
    .map((path) => ({
      code: "unreadable",
      message: `${escapeControl(joined(folder, path))} has a name that is not UTF-8`,
      advice: "rename the file",
    }));
}

function joined(folder: string, path: string): string {
  return folder === "." ? path : `${folder}/${path}`;
}

/** An applied commit from which a later one does not follow: the branch was rewritten. */
export async function droppedBy(
  { commit }: Pick<LoadedCommit, "commit">,
  applied: readonly string[],
  repository: Pick<Repository, "isAncestor">,
): Promise<string | undefined> {
  for (const known of applied) if (!(await repository.isAncestor(known, commit))) return known;
  return undefined;
}
