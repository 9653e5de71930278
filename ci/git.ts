import { causeOf } from "../core/program-cause.ts";
import { forges } from "../adapters/forge/index.ts";
import { GitError, isObjectId, runGit } from "../adapters/git/index.ts";
import type { Io } from "../cli/terminal/io.ts";

/** Runs git in the working directory, as it is configured there: a job's checkout has the credentials for its remote. */
async function git(args: readonly string[], { env, signal }: Io, isFixed = false): Promise<string> {
  const output = await runGit(args, {
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

/**
 * The commit of the base that a pull request is compared with. The commit that is checked out may be a merge of both, which
 * GitHub makes: then it is the first of those that were merged. A merge that the author has made names no base.
 *
 * @param named the one that the forge names
 * @param head the newest commit of the pull request
 */
export async function baseCommit(named: string | undefined, head: string, io: Io): Promise<string> {
  const [first, second] = await parentsOf("HEAD", io);
  const base = second === head ? first : named;
  if (base === undefined || !/^[0-9a-f]{7,64}$/.test(base))
    throw new GitError("no_branch", "the forge names no base of the change", "name it with --base");
  await fetchCommit(base, io, ["--depth=1"]);
  return base;
}

/** The commit that another one was made on; undefined for the first of a repository. */
export async function firstParent(commit: string, io: Io): Promise<string | undefined> {
  return (await parentsOf(commit, io))[0];
}

/** The ids of what a commit has in these places of the repository: the same text as long as that is the same; empty: nothing. */
export function contentIds(commit: string, places: readonly string[], io: Io): Promise<string> {
  const within = places.includes("") ? [] : ["--", ...places];
  return git(["ls-tree", "--full-tree", commit, ...within], io, isObjectId(commit));
}

/** The parents of a commit that is there; they themselves may not be. */
async function parentsOf(commit: string, io: Io): Promise<string[]> {
  const [head = ""] = (await git(["cat-file", "commit", commit], io, isObjectId(commit))).split("\n\n");
  return [...head.matchAll(/^parent ([0-9a-f]+)$/gm)].flatMap(([, parent]) => parent ?? []);
}

/** Fetches a commit that the repository lacks. */
export async function fetchCommit(commit: string, io: Io, more: readonly string[] = []): Promise<void> {
  const isThere = await git(["cat-file", "-e", `${commit}^{commit}`], io).then(
    () => true,
    () => false,
  );
  if (!isThere) await git(["fetch", "--quiet", "--no-tags", ...more, "origin", commit], io);
}

/** The commit that is checked out, which has to have its whole history. @throws GitError */
export async function headWithHistory(io: Io): Promise<string> {
  if ((await git(["rev-parse", "--is-shallow-repository"], io)) === "true")
    throw new GitError(
      "failed",
      "the repository is checked out without its history",
      `check it out with the whole history: ${forges.map(({ title, wholeHistory }) => `${wholeHistory} on ${title}`).join(", ")}`,
    );
  return git(["rev-parse", "HEAD"], io);
}

/** The tree that a merge of two commits would have; undefined if they are in conflict. */
export async function mergedTree(base: string, head: string, io: Io): Promise<string | undefined> {
  try {
    return (await git(["merge-tree", "--write-tree", base, head], io)).split("\n")[0];
  } catch (error) {
    if (error instanceof GitError && error.failure === "failed") return undefined;
    throw error;
  }
}
