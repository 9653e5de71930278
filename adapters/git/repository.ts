import type { ProgramOutput } from "../../core/run-program.ts";
import { existsSync } from "node:fs";
import { access, appendFile, constants, rm } from "node:fs/promises";
import { join } from "node:path";
import { causeOf } from "../../core/program-cause.ts";
import { makeFolder } from "../../core/files.ts";
import type { RepositoryAddress } from "./address.ts";
import { type CommitNote, commitsOf, describeCommits } from "./commits.ts";
import { linesOf, remoteSection, removeLeftLocks } from "./copy.ts";
import { gitEnvironment } from "./environment.ts";
import { GitError } from "./errors.ts";
import { listTree, readBlobs, type TreeEntry } from "./objects.ts";
import { type GitCaller, newestOfBranch, newestTag, unreachable } from "./remote.ts";
import { type Revision, short } from "./revision.ts";
import { type GitCall, runGit } from "./run-git.ts";

/** Where a repository is, and how it is reached. */
export interface RepositorySettings {
  address: RepositoryAddress;
  branch: string;
  /** The revision to follow instead of the newest commit of the branch. */
  revision?: Revision | undefined;
  /** A folder for the copy; other files in it are left alone. */
  folder: string;
  /** The environment variables of the operator, which may have credentials. */
  env: Readonly<Record<string, string | undefined>>;
  signal?: AbortSignal;
}

/** A call on the copy. `more`: environment variables beside those that each call has. */
type CopyCall = Partial<GitCall> & { more?: Record<string, string> };

/** After so many failed calls in a row, the copy is thrown away. */
const mostFailures = 3;

/** Milliseconds that a look at the remote may take. */
const lookLimit = 60_000;
/** Milliseconds that a fetch may take. */
const fetchLimit = 600_000;

/**
 * A copy of a branch of a remote repository, without a checkout: commits and folders are fetched, contents of files only
 * when they are read. No hook, filter or configuration of the repository takes effect, as git only transfers and prints
 * objects.
 */
export class Repository {
  readonly #settings: RepositorySettings;
  readonly #git: string;
  /** Whether this process has set up the copy. */
  #isPrepared = false;
  /** The ref to fetch: a branch or a tag. */
  #ref: string;
  /** The commit that was fetched last. */
  #fetched: string | undefined;
  /** Whether contents come with their commits, because the remote does not give single ones. */
  #isWhole = false;
  /** How many calls on the copy have failed since one succeeded. */
  #failures = 0;

  /** The folder of the copy. */
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
    const { address, branch, revision, folder } = this.#settings;
    await makeFolder(folder, 0o700);
    if (revision?.type === "commit") return revision.id;
    const call: GitCaller = (args) => this.#run(args, { folder, timeout: lookLimit });
    const head = await (revision
      ? newestTag(call, address, revision.name)
      : newestOfBranch(call, address, branch));
    this.#ref = head.ref;
    return head.commit;
  }

  /**
   * Fetches the branch with its history, without contents of files, unless it is there already.
   *
   * @param commit the newest commit, as `newest` has told
   * @returns the newest commit that is there now: a later one if the branch has moved on
   * @throws GitError
   */
  async fetch(commit: string): Promise<string> {
    const { address, branch, revision } = this.#settings;
    if (this.#fetched === commit && this.#failures === 0 && existsSync(this.#git)) return commit;
    await this.#prepare();
    const ref = this.#ref;
    const isPinned = revision?.type === "commit";
    if (isPinned ? await this.isAncestor(commit, ref) : (await this.#at(ref)) === commit) {
      this.#fetched = commit;
      return commit;
    }
    const args = [
      ...this.#fetching(),
      "--force",
      this.#isWhole ? "--no-filter" : "--filter=blob:none",
      "origin",
      `${ref}:${ref}`,
    ];
    const { stderr, code } = await this.#run(args, { timeout: fetchLimit });
    const fetched = await this.#at(ref);
    if (code !== 0 || fetched === undefined) {
      this.#failures += 1;
      throw unreachable(address, stderr);
    }
    this.#failures = 0;
    if (isPinned && !(await this.isAncestor(commit, ref)))
      throw new GitError(
        "no_branch",
        `the branch ${branch} has no commit ${short(commit)}`,
        "check the revision; nothing is deleted because a commit has gone",
      );
    this.#fetched = isPinned ? commit : fetched;
    return this.#fetched;
  }

  /**
   * Whether a commit is signed with one of the ssh keys in a file of allowed signers. Its signature covers all its files
   * and all commits before it.
   *
   * @throws GitError when that file cannot be read
   */
  async isSigned(commit: string, allowedSigners: string): Promise<boolean> {
    await access(allowedSigners, constants.R_OK).catch(() => {
      throw new GitError(
        "failed",
        `the file of allowed signers ${allowedSigners} cannot be read`,
        "create it, and let this user read it; until then no other commit is applied",
      );
    });
    const settings = [
      "gpg.format=ssh",
      `gpg.ssh.allowedSignersFile=${allowedSigners}`,
      // Other kinds of signatures, such as those of OpenPGP, do not count.
      "gpg.openpgp.program=false",
      "gpg.x509.program=false",
    ].flatMap((setting) => ["-c", setting]);
    return (await this.#run([...settings, "verify-commit", commit])).code === 0;
  }

  /** Whether a commit comes before another one, or is the same; not if it is unknown. */
  async isAncestor(older: string, newer: string): Promise<boolean> {
    if (older === newer) return true;
    return (await this.#run(["merge-base", "--is-ancestor", older, newer])).code === 0;
  }

  /** The last commits that have changed a folder, the newest first: see `commitsOf`. @throws GitError */
  changesOf(commit: string, path: string, most: number): Promise<Map<string, CommitNote>> {
    return commitsOf((args) => this.#done(args, { isFixed: true }), commit, path, most);
  }

  /**
   * The earlier states of a folder in the history of a commit, the newest first, each with the last commit that had it. Of a
   * merge, only the branch counts into which it was made: what was pushed to others was never in force.
   *
   * @throws GitError
   */
  async statesBefore(
    commit: string,
    path: string,
    most: number,
  ): Promise<{ commit: string; tree: string }[]> {
    const within = path === "" ? [] : ["--", path];
    const { stdout } = await this.#done(
      ["rev-list", "--first-parent", `--max-count=${most + 1}`, commit, ...within],
      { isFixed: true },
    );
    const [, ...changing] = linesOf(stdout);
    const trees = await this.#foldersOf(changing, path);
    return changing.flatMap((each, index) => {
      const tree = trees[index];
      return tree === undefined ? [] : [{ commit: each, tree }];
    });
  }

  /** What people know commits by, without those that the copy does not have. @throws GitError */
  describe(ids: readonly string[]): Promise<Map<string, CommitNote>> {
    const local = { GIT_NO_LAZY_FETCH: "1" };
    return describeCommits((args, call) => this.#done(args, { ...call, more: local }), ids);
  }

  /** The id of a folder of a commit: it is the same as long as its files are the same. @throws GitError */
  async treeOf(commit: string, path: string): Promise<string> {
    const [id] = await this.#foldersOf([commit], path);
    if (id !== undefined) return id;
    if ((await this.#run(["cat-file", "-e", `${commit}^{tree}`])).code !== 0) this.#failures += 1;
    throw new GitError(
      "no_path",
      `the commit ${short(commit)} has no folder ${path}`,
      "check the path; nothing is deleted because a folder has gone",
    );
  }

  /** The id of a folder of each commit; undefined where it has none. */
  async #foldersOf(commits: readonly string[], path: string): Promise<(string | undefined)[]> {
    const places = commits.map((commit) => (path === "" ? `${commit}^{tree}` : `${commit}:${path}`));
    const { stdout } = await this.#run(["cat-file", "--batch-check=%(objecttype) %(objectname)"], {
      input: `${places.join("\n")}\n`,
    });
    return linesOf(stdout).map((line) => /^tree ([0-9a-f]+)$/.exec(line)?.[1]);
  }

  /** Whether the copy has a folder of a commit. */
  async has(tree: string): Promise<boolean> {
    const { stdout, code } = await this.#run(["cat-file", "-t", tree]);
    return code === 0 && stdout.toString().trim() === "tree";
  }

  /** The files of a folder and of its subfolders. */
  list(tree: string): Promise<TreeEntry[]> {
    return listTree((args) => this.#done(args, { isFixed: true }), tree);
  }

  /** What a commit has at paths from its top. */
  async at(commit: string, paths: readonly string[]): Promise<TreeEntry[]> {
    if (paths.length === 0) return [];
    return listTree((args) => this.#done(args, { isFixed: true }), commit, paths, { isDeep: false });
  }

  /**
   * Fetches contents of files with one request, instead of one by one when they are read. A remote that gives no single
   * objects, such as one over ssh that accepts only the first protocol of git, gives the whole branch instead.
   */
  async fetchContents(ids: readonly string[]): Promise<void> {
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
    const { stderr, code } = await this.#run(args, {
      input: `${missing.join("\n")}\n`,
      timeout: fetchLimit,
    });
    if (code === 0) return;
    if (/unadvertised object|not our ref/.test(stderr) && (await this.#fetchWhole())) return;
    this.#failures += 1;
    throw unreachable(this.#settings.address, stderr);
  }

  /** The contents of files by id; undefined for a file larger than `maxBytes`. Sizes are looked at before anything is read. */
  async contents(ids: readonly string[], maxBytes: number): Promise<Map<string, Buffer | undefined>> {
    try {
      const contents = await readBlobs((args, call) => this.#done(args, call), ids, maxBytes);
      this.#failures = 0;
      return contents;
    } catch (error) {
      this.#failures += 1;
      throw error;
    }
  }

  /** The contents that the copy does not have; all of them where git ends at the first one, as it did before 2.44. */
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

  /** Fetches the branch with all contents. Gives whether that was possible. */
  async #fetchWhole(): Promise<boolean> {
    const ref = this.#ref;
    const args = [...this.#fetching(), "--force", "--refetch", "--no-filter", "origin", `${ref}:${ref}`];
    this.#isWhole = (await this.#run(args, { timeout: fetchLimit })).code === 0;
    return this.#isWhole;
  }

  /** The first arguments of each fetch. A repository on this machine gives single objects, whatever its settings say. */
  #fetching(): string[] {
    const giving = ["allowFilter", "allowAnySHA1InWant"]
      .map((each) => `-c uploadpack.${each}=true`)
      .join(" ");
    const isLocal = this.#settings.address.protocol === "file";
    return ["fetch", "--quiet", "--no-tags", ...(isLocal ? [`--upload-pack=git ${giving} upload-pack`] : [])];
  }

  async #prepare(): Promise<void> {
    const { address, folder } = this.#settings;
    // The remote has just answered, so the copy is to blame: everything in it can be fetched again.
    if (this.#failures >= mostFailures) await rm(this.#git, { recursive: true, force: true });
    await removeLeftLocks(this.#git);
    const isThere = existsSync(join(this.#git, "HEAD"));
    if (isThere && this.#isPrepared && this.#failures === 0) return;
    const isCopy = isThere && (await this.#run(["rev-parse", "--git-dir"])).code === 0;
    if (isCopy) await this.#done(["config", "remote.origin.url", address.url]);
    else {
      await rm(this.#git, { recursive: true, force: true });
      await this.#done(["init", "--quiet", "--bare", "--template=", this.#git], { folder });
      // git could write this too, with a process for each line.
      await appendFile(join(this.#git, "config"), remoteSection(address));
    }
    this.#isPrepared = true;
  }

  async #at(ref: string): Promise<string | undefined> {
    const { stdout, code } = await this.#run(["rev-parse", "--quiet", "--verify", `${ref}^{commit}`]);
    return code === 0 ? stdout.toString().trim() : undefined;
  }

  /** Runs git on the copy, and expects it to succeed. */
  async #done(args: readonly string[], call: CopyCall = {}): Promise<ProgramOutput> {
    const output = await this.#run(args, call);
    if (output.code === 0) return output;
    throw new GitError(
      "failed",
      `git ${args.find((arg) => !arg.startsWith("-")) ?? ""} has failed: ${causeOf(output.stderr).message}`,
      "if the copy is damaged, it is fetched again by itself",
    );
  }

  async #run(args: readonly string[], { more, ...call }: CopyCall = {}): Promise<ProgramOutput> {
    const { address, env, folder, signal } = this.#settings;
    const { env: given, ...credentials } = await gitEnvironment(env, folder, address);
    const settings = { folder: this.#git, env: { ...given, ...more }, ...credentials };
    return runGit(args, { ...settings, ...(signal && { signal }), ...call });
  }
}
