import type { ProgramOutput } from "../../core/files/run-program.ts";
import { existsSync } from "node:fs";
import { appendFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "../../core/files/files.ts";
import type { RepositoryAddress } from "./address.ts";
import { type CommitNote, commitsOf, describeCommits } from "./commits.ts";
import { gitEnvironment } from "./environment.ts";
import { GitError } from "./errors.ts";
import { failed, foldersOf, type Git, linesOf, listTree, readBlobs, type TreeEntry } from "./objects.ts";
import { newestOfBranch, newestTag, type Remote, unreachable } from "./remote.ts";
import { type Revision, short } from "./revision.ts";
import { type GitCall, runGit } from "./run-git.ts";
import { isSigned } from "./signature.ts";

export interface RepositorySettings {
  address: RepositoryAddress;
  branch: string;
  /** The revision to follow instead of the newest commit of the branch. */
  revision?: Revision | undefined;
  /** A folder for the copy; other files in it are left alone. */
  folder: string;
  /** The operator's environment variables, which may contain credentials. */
  env: Readonly<Record<string, string | undefined>>;
  signal?: AbortSignal;
}

/** A call on the copy. `more`: additional environment variables. */
type CopyCall = Partial<GitCall> & { more?: Record<string, string> };

/** Of so many failed cycles in a row, the first fetches the whole copy again. */
const failuresEach = 3;

/** The most milliseconds of a question to the remote. */
const refreshLimit = 60_000;
/** The most milliseconds of a fetch. */
const fetchLimit = 600_000;

/**
 * A copy of a branch of a remote repository, without a checkout: commits and folders are fetched, contents of files
 * only when they are read. No hook, filter or configuration of the repository takes effect, as Git only transfers and
 * prints objects.
 */
export class Repository {
  readonly #settings: RepositorySettings;
  readonly #git: string;
  /** Whether this process has set the address of the remote in the copy. */
  #isPrepared = false;
  /** The ref to fetch: a branch or a tag. */
  #ref: string;
  /** The last fetched commit. */
  #fetched: string | undefined;
  /** Whether contents come with their commits, because the remote does not give single ones. */
  #isWhole = false;
  /** The number of cycles in a row that failed because of the copy, or for an indistinguishable reason. */
  #failures = 0;
  /** The value of `#failures` at the start of this cycle. */
  #failuresBefore = 0;
  /** Whether the whole copy was fetched in this cycle, so that it is complete and undamaged. */
  #isFresh = false;
  /** Commits and folders that a fresh copy did not have. */
  readonly #unknown = new Set<string>();
  #objectFormat: "sha1" | "sha256" = "sha1";
  readonly #onCopy: Git = (args, call) => this.#done(args, call);
  readonly #fixed: Git = (args) => this.#done(args, { isFixed: true });

  get folder(): string {
    return this.#settings.folder;
  }

  constructor(settings: RepositorySettings) {
    this.#settings = settings;
    this.#git = join(settings.folder, "repository.git");
    this.#ref = `refs/heads/${settings.branch}`;
  }

  /** The id of the newest commit of the branch or revision on the remote. @throws GitError */
  async newest(): Promise<string> {
    const { address, branch, revision, folder, env } = this.#settings;
    await makeFolder(folder, 0o700);
    if (revision?.type === "commit") return revision.id;
    const remote: Remote = {
      call: (args) => this.#run(args, { folder, timeout: refreshLimit }),
      address,
      environment: env,
    };
    const head = await (revision ? newestTag(remote, revision.name) : newestOfBranch(remote, branch));
    this.#ref = head.ref;
    return head.commit;
  }

  /** Fetches a commit from `newest` with its history, without contents of files. Returns the newest now: the branch may have moved on. @throws GitError */
  async fetch(commit: string): Promise<string> {
    if (this.#failures === this.#failuresBefore) this.#failures = 0;
    this.#failuresBefore = this.#failures;
    this.#isFresh = false;
    this.#objectFormat = commit.length === 64 ? "sha256" : "sha1";
    if (this.#fetched !== commit || !existsSync(this.#git))
      this.#fetched = await this.#mended(() => this.#bringUpToDate(commit));
    return this.#fetched;
  }

  async #bringUpToDate(commit: string): Promise<string> {
    const { address, branch, revision } = this.#settings;
    if (!this.#isPrepared) {
      // A process that was killed while it replaced its copy leaves the new one.
      await rm(this.#fresh, { recursive: true, force: true });
      await this.#done(["config", "remote.origin.url", address.url]);
    }
    this.#isPrepared = true;
    const ref = this.#ref;
    const isPinned = revision?.type === "commit";
    if (isPinned ? await this.isAncestor(commit, ref) : (await this.#at(ref)) === commit) return commit;
    await this.#fetchRef(this.#git);
    if (!isPinned)
      return (await this.#done(["rev-parse", "--verify", `${ref}^{commit}`])).stdout.toString().trim();
    if (await this.isAncestor(commit, ref)) return commit;
    throw new GitError(
      "no_branch",
      `the branch ${branch} has no commit ${short(commit)}`,
      "check the revision; nothing is deleted because of the missing commit",
    );
  }

  /** Fetches the branch or tag into a copy; `isWhole`: with all contents, also those that should exist already. */
  async #fetchRef(folder: string, isWhole = this.#isWhole): Promise<void> {
    const filter = isWhole ? ["--refetch", "--no-filter"] : ["--filter=blob:none"];
    const args = [...this.#fetching(), "--force", ...filter, "origin", `${this.#ref}:${this.#ref}`];
    const { stderr, code } = await this.#run(args, { timeout: fetchLimit, folder });
    if (code !== 0) throw unreachable(this.#settings.address, stderr);
  }

  /** Asks the copy; if that fails, a new copy, as all can be fetched again. If that fails, the copy is not the cause. */
  async #mended<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof GitError && (error.failure === "failed" || error.failure === "unreachable")))
        throw error;
      if (this.#isBlameless) {
        this.#failures = this.#failuresBefore + 1;
        throw error;
      }
      await this.#fetchAnew();
      return this.#mended(ask);
    }
  }

  /** The copy that is to replace the present one. */
  get #fresh(): string {
    return `${this.#git}.new`;
  }

  get #isBlameless(): boolean {
    return this.#isFresh || this.#failures % failuresEach !== 0;
  }

  /** Replaces the copy by another one; if that cannot be fetched, the old one stays. */
  async #fetchAnew(): Promise<void> {
    const { address, folder } = this.#settings;
    const fresh = this.#fresh;
    try {
      await rm(fresh, { recursive: true, force: true });
      const format = `--object-format=${this.#objectFormat}`;
      await this.#done(["init", "--quiet", "--bare", "--template=", format, fresh], { folder });
      // Git could write this too, with a process for each line.
      const url = address.url.replaceAll(/["\\]/g, String.raw`\$&`);
      const remote = `[remote "origin"]\n\turl = "${url}"\n\tpromisor = true\n\tpartialCloneFilter = blob:none\n`;
      await appendFile(join(fresh, "config"), remote);
      await this.#fetchRef(fresh);
      await rm(this.#git, { recursive: true, force: true });
      await rename(fresh, this.#git);
    } catch (error) {
      if (error instanceof GitError) throw error;
      const message = `the copy of the repository cannot be replaced: ${error instanceof Error ? error.message : String(error)}`;
      throw new GitError("failed", message, `let this user write ${folder}, and all that is in it`);
    }
    this.#isPrepared = true;
    this.#isFresh = true;
  }

  /** Whether a commit is signed with one of the ssh keys in a file of allowed signers. @throws GitError when that file cannot be read */
  isSigned(commit: string, allowedSigners: string): Promise<boolean> {
    return this.#mended(() => isSigned((args) => this.#run(args), commit, allowedSigners));
  }

  /** Whether a commit is an ancestor of another one, or the same; not if it is unknown. */
  async isAncestor(older: string, newer: string): Promise<boolean> {
    if (older === newer) return true;
    return (await this.#answer(["merge-base", "--is-ancestor", older, newer], older))?.code === 0;
  }

  /** The answer to a question about an object; undefined: a fresh copy does not have it either. */
  #answer(args: readonly string[], object: string): Promise<ProgramOutput | undefined> {
    return this.#mended(async () => {
      const output = await this.#run(args);
      if (output.code <= 1) return output;
      if (!this.#isBlameless && !this.#unknown.has(object)) throw failed(args, output);
      this.#unknown.add(object);
      return undefined;
    });
  }

  /** The last commits that have changed a folder, the newest first: see `commitsOf`. @throws GitError */
  changesOf(commit: string, path: string, most: number): Promise<Map<string, CommitNote>> {
    return this.#mended(() => commitsOf(this.#fixed, commit, path, most));
  }

  /**
   * The earlier states of a folder in the history of a commit, the newest first, each with its last commit. Of a merge,
   * only the first branch counts: commits of other branches were never in force.
   *
   * @throws GitError
   */
  async statesBefore(
    commit: string,
    path: string,
    most: number,
  ): Promise<{ commit: string; tree: string }[]> {
    const within = path === "" ? [] : ["--", path];
    const args = ["rev-list", "--first-parent", `--max-count=${most + 1}`, commit, ...within];
    return this.#mended(async () => {
      const [, ...changing] = linesOf((await this.#done(args, { isFixed: true })).stdout);
      const trees = await foldersOf(this.#onCopy, changing, path);
      return changing.flatMap((each, index) => {
        const tree = trees[index];
        return tree === undefined ? [] : [{ commit: each, tree }];
      });
    });
  }

  /** The notes of commits, without those that the copy does not have. @throws GitError */
  describe(ids: readonly string[]): Promise<Map<string, CommitNote>> {
    const local = { GIT_NO_LAZY_FETCH: "1" };
    return describeCommits((args, call) => this.#done(args, { ...call, more: local }), ids);
  }

  /** The id of a folder of a commit, which changes only with its files. @throws GitError */
  async treeOf(commit: string, path: string): Promise<string> {
    const id = await this.#mended(async () => (await foldersOf(this.#onCopy, [commit], path))[0]);
    if (id !== undefined) return id;
    throw new GitError(
      "no_path",
      `the commit ${short(commit)} has no folder ${path}`,
      "check the path; nothing is deleted because of the missing folder",
    );
  }

  /** Whether the copy has a folder of a commit. */
  async has(tree: string): Promise<boolean> {
    return (await this.#answer(["cat-file", "-t", tree], tree))?.stdout.toString().trim() === "tree";
  }

  /** The files of a folder and of its subfolders. */
  list(tree: string): Promise<TreeEntry[]> {
    return this.#mended(() => listTree(this.#fixed, tree));
  }

  async at(commit: string, paths: readonly string[]): Promise<TreeEntry[]> {
    if (paths.length === 0) return [];
    return this.#mended(() => listTree(this.#fixed, commit, paths, { isDeep: false }));
  }

  /** The contents of files by id; undefined for a file larger than `maxBytes`. Missing ones are fetched. */
  contents(ids: readonly string[], maxBytes: number): Promise<Map<string, Buffer | undefined>> {
    return this.#mended(async () => {
      await this.#fetchContents(ids);
      return readBlobs(this.#onCopy, ids, maxBytes);
    });
  }

  /**
   * Fetches contents of files with one request, instead of one by one when they are read. A remote that gives no single
   * objects, such as one over ssh with only the first protocol of Git, gives the whole branch instead.
   */
  async #fetchContents(ids: readonly string[]): Promise<void> {
    if (ids.length === 0 || this.#isWhole) return;
    const missing = await this.#missing(ids);
    if (missing.length === 0) return;
    const args = [
      "-c",
      "fetch.negotiationAlgorithm=noop",
      ...this.#fetching(),
      "--no-write-fetch-head",
      "--recurse-submodules=no",
      "--filter=blob:none",
      "--stdin",
      "origin",
    ];
    const input = `${missing.join("\n")}\n`;
    const { stderr, code } = await this.#run(args, { input, timeout: fetchLimit });
    if (code === 0) return;
    if (!/unadvertised object|not our ref/.test(stderr)) throw unreachable(this.#settings.address, stderr);
    await this.#fetchRef(this.#git, true);
    this.#isWhole = true;
  }

  /** The contents that the copy lacks; all of them where Git ends at the first one, as before 2.44. */
  async #missing(ids: readonly string[]): Promise<readonly string[]> {
    const { stdout, code } = await this.#run(["cat-file", "--batch-check"], {
      input: `${ids.join("\n")}\n`,
      more: { GIT_NO_LAZY_FETCH: "1" },
    });
    if (code !== 0) return ids;
    return linesOf(stdout).flatMap((line) =>
      line.endsWith(" missing") ? [line.slice(0, -" missing".length)] : [],
    );
  }

  /** The first arguments of each fetch. A repository on this machine gives single objects, whatever its settings. */
  #fetching(): string[] {
    const giving = ["allowFilter", "allowAnySHA1InWant"]
      .map((each) => `-c uploadpack.${each}=true`)
      .join(" ");
    const isLocal = this.#settings.address.protocol === "file";
    return ["fetch", "--quiet", "--no-tags", ...(isLocal ? [`--upload-pack=git ${giving} upload-pack`] : [])];
  }

  async #at(ref: string): Promise<string | undefined> {
    const { stdout, code } = await this.#run(["rev-parse", "--quiet", "--verify", `${ref}^{commit}`]);
    return code === 0 ? stdout.toString().trim() : undefined;
  }

  /** Runs Git on the copy, and expects it to succeed. */
  async #done(args: readonly string[], call: CopyCall = {}): Promise<ProgramOutput> {
    const output = await this.#run(args, call);
    if (output.code === 0) return output;
    throw failed(args, output);
  }

  async #run(args: readonly string[], { more, ...call }: CopyCall = {}): Promise<ProgramOutput> {
    const { address, env, folder, signal } = this.#settings;
    const { env: given, ...credentials } = await gitEnvironment(env, folder, address);
    const settings = { folder: this.#git, env: { ...given, ...more }, ...credentials };
    return runGit(args, { ...settings, ...(signal && { signal }), ...call });
  }
}
