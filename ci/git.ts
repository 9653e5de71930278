import { existsSync, realpathSync } from "node:fs";
import { relative } from "node:path";
import { InvalidInputError } from "../core/problems/problem.ts";
import { causeOf } from "../core/files/program-cause.ts";
import type { ProgramOutput } from "../core/files/run-program.ts";
import { forges } from "../adapters/forge/index.ts";
import { GitError, isObjectId, runGit } from "../adapters/git/index.ts";
import { withLines } from "../cli/progress/with-status.ts";
import type { Io } from "../cli/terminal/io.ts";

/** Runs Git in the working directory with its configuration: a job's checkout has the credentials for its remote. */
function call(args: readonly string[], io: Io, isFixed = false): Promise<ProgramOutput> {
  const { env, signal } = io;
  const run = () =>
    runGit(args, {
      folder: process.cwd(),
      signal,
      isFixed,
      env: {
        ...Object.fromEntries(passedOn.map((name) => [name, env[name]])),
        LC_ALL: "C",
        GIT_TERMINAL_PROMPT: "0",
        GIT_ALLOW_PROTOCOL: "https:ssh:file",
      },
    });
  const isRemote = args[0] === "fetch" || args[0] === "ls-remote";
  return isRemote ? withLines(io, "fetching commits from the repository", run) : run();
}

/** Expects Git to succeed. @throws GitError */
async function git(args: readonly string[], io: Io, isFixed = false): Promise<string> {
  const output = await call(args, io, isFixed);
  if (output.code === 0) return output.stdout.toString().trim();
  const { message, advice } = causeOf(output.stderr);
  throw new GitError(
    "failed",
    `git ${args[0]} has failed: ${message}`,
    advice ?? "check that the job has checked the repository out, with credentials for its remote",
  );
}

const passedOn = [
  "PATH",
  "HOME",
  "HTTPS_PROXY",
  "https_proxy",
  "NO_PROXY",
  "no_proxy",
  "SSL_CERT_FILE",
  "GIT_SSL_CAINFO",
];

/** The merge as which a pull request is planned. */
export interface Merge {
  base: string;
  /** The tree of the merge; undefined: it is checked out. */
  tree?: string;
  /** Git cannot make the merge: why, the number of missing commits of the base, and the last common one. */
  behind?: { why: string; count: number; since: string };
}

/** The merge that a job plans: the checkout, if it has the whole base; otherwise Git merges without a checkout. */
export async function mergeOf(
  named: string | undefined,
  branch: string | undefined,
  head: string,
  io: Io,
): Promise<Merge> {
  const [first, second] = await parentsOf("HEAD", io);
  const isMerge = second === head;
  const base = isMerge ? first : branch === undefined ? named : await newestOf(branch, io);
  if (base === undefined || !/^[0-9a-f]{7,64}$/.test(base))
    throw new GitError("no_branch", "the Git host names no base of the change", "name it with --base");
  await fetchCommit(base, io, ["--depth=1"]);
  if (isMerge || branch === undefined) return { base };
  if ((await git(["rev-parse", "--is-shallow-repository"], io)) === "true")
    await git(["fetch", "--quiet", "--no-tags", "--unshallow", "origin", base, head], io);
  const since = await git(["merge-base", base, head], io);
  if (since === base)
    return (await git(["rev-parse", "HEAD"], io)) === head ? { base } : { base, tree: head };
  const merged = await mergedTree(base, head, io);
  if ("tree" in merged) return { base, ...merged };
  const count = Number(await git(["rev-list", "--count", `${head}..${base}`], io));
  return { base, behind: { ...merged, count, since } };
}

async function newestOf(branch: string, io: Io): Promise<string> {
  const listed = await git(["ls-remote", "origin", `refs/heads/${branch}`], io);
  return /^[0-9a-f]+/.exec(listed)?.[0] ?? "";
}

/** Undefined for the first commit of a repository. */
export async function firstParent(commit: string, io: Io): Promise<string | undefined> {
  return (await parentsOf(commit, io))[0];
}

/** The ids of a commit's contents in these places, as one text; empty: none. */
export function contentIds(commit: string, places: readonly string[], io: Io): Promise<string> {
  const within = places.includes("") ? [] : ["--", ...places];
  return git(["ls-tree", "--full-tree", commit, ...within], io, isObjectId(commit));
}

/** The parents of an existing commit; they themselves may be missing. */
async function parentsOf(commit: string, io: Io): Promise<string[]> {
  const [head = ""] = (await git(["cat-file", "commit", commit], io, isObjectId(commit))).split("\n\n");
  return [...head.matchAll(/^parent ([0-9a-f]+)$/gm)].flatMap(([, parent]) => parent ?? []);
}

export async function fetchCommit(commit: string, io: Io, more: readonly string[] = []): Promise<void> {
  const isThere = await git(["cat-file", "-e", `${commit}^{commit}`], io).then(
    () => true,
    () => false,
  );
  if (!isThere) await git(["fetch", "--quiet", "--no-tags", ...more, "origin", commit], io);
}

/** The checked-out commit, which has to have its whole history. @throws GitError */
export async function headWithHistory(io: Io): Promise<string> {
  if ((await git(["rev-parse", "--is-shallow-repository"], io)) === "true")
    throw new GitError(
      "failed",
      "the repository is checked out without its history",
      `check it out with the whole history: ${forges.map(({ title, wholeHistory }) => `${wholeHistory} on ${title}`).join(", ")}`,
    );
  return git(["rev-parse", "HEAD"], io);
}

/** The tree of a merge of two commits, made without a checkout, or why there is none. */
export async function mergedTree(
  base: string,
  head: string,
  io: Io,
): Promise<{ tree: string } | { why: string }> {
  const { code, stdout } = await call(["merge-tree", "--write-tree", base, head], io);
  const [tree = ""] = stdout.toString().split("\n");
  if (code === 0) return { tree };
  return {
    why:
      code === 1
        ? "it conflicts with the base"
        : "this git cannot merge without a checkout: use git 2.38 or newer",
  };
}

/** Whether the content of a commit is unreadable, and not the repository. */
export function isOfCommit(error: unknown): error is Error {
  return error instanceof InvalidInputError || (error instanceof GitError && error.failure === "too_large");
}

/** The files among these, from the top of the repository, that differ from the checked-out commit. */
export async function unversioned(files: readonly string[], top: string, io: Io): Promise<string[]> {
  const listed = async (args: readonly string[]) => new Set((await git(args, io)).split("\0"));
  const [known, changed] = await Promise.all([
    listed(["ls-tree", "-r", "-z", "--name-only", "--full-tree", "HEAD"]),
    listed(["diff", "--name-only", "-z", "HEAD"]),
  ]);
  const paths = files.filter((file) => existsSync(file)).map((file) => relative(top, realpathSync(file)));
  return [...new Set(paths)].filter((path) => !known.has(path) || changed.has(path));
}
