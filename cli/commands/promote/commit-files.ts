import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { causeOf } from "../../../core/files/program-cause.ts";
import { InvalidInputError, type Problem } from "../../../core/problems/problem.ts";
import { escapeControl } from "../../../core/values/text.ts";
import { short, GitError, runGit } from "../../../adapters/git/index.ts";
import type { Io } from "../../terminal/io.ts";

/** The most milliseconds for Git and the hooks of a commit. */
const longestCommit = 600_000;

/** Git in the repository of files. What forbids a commit of them goes to `problems`. @param failed the beginning of the message of a failure, and its advice */
export async function openCheckout(
  files: readonly string[],
  [failed, advice]: readonly [string, string],
  { env, signal }: Pick<Io, "env" | "signal">,
  options: object = {},
) {
  const paths = files.map((file) => resolve(file));
  const folder = dirname(paths[0] ?? ".");
  const run = (args: readonly string[], more: object) =>
    runGit(args, { folder, env, signal, ...options, ...more });
  const git = async (args: readonly string[], more: object = {}) => {
    const { stdout, stderr, code } = await run(args, more);
    if (code === 0) return stdout.toString().trim();
    const reason = escapeControl(causeOf(stderr).message);
    throw new GitError("failed", `${failed}git ${args[0]} failed: ${reason}`, advice);
  };
  const textOf = async (...args: string[]) => (await run(args, {})).stdout.toString().trim();
  const problems: Problem[] = [];
  const refuse = (message: string, help: string) =>
    problems.push({ code: "argument", message, advice: help });
  const branch = await textOf("symbolic-ref", "--quiet", "--short", "HEAD");
  if ((await textOf("rev-parse", "--is-inside-work-tree")) !== "true")
    refuse("the manifests are in no git repository", "leave out --commit and --pull-request");
  else if (branch === "") refuse("no branch is checked out", "check out a branch: git switch BRANCH");
  if ((await textOf("status", "--porcelain", "--", ...paths)) !== "")
    refuse("files to change have uncommitted changes", "commit or restore them, and run again");
  return { paths, folder, branch, git, textOf, problems, refuse };
}

/** Prepares a commit of only these files, with hooks; its result makes it, and returns the id. Throws before anything is written. */
export async function prepareCommit(
  files: readonly string[],
  io: Pick<Io, "env" | "signal">,
): Promise<(message: string) => Promise<string>> {
  const failure = ["the files are written, but ", "commit them manually"] as const;
  const options = { withHooks: true, timeout: longestCommit };
  const { paths, folder, git, textOf, problems, refuse } = await openCheckout(files, failure, io, options);
  for (const [head, action] of Object.entries(underWay))
    if (existsSync(resolve(folder, await textOf("rev-parse", "--git-path", head))))
      refuse(`a ${action} is under way in the repository`, `finish it, or abort it: git ${action} --abort`);
  if (problems.length > 0) throw new InvalidInputError(problems);
  return async (message) => {
    await git(["add", "--", ...paths]);
    await git(["commit", "--quiet", "--message", message, "--", ...paths]);
    return short(await git(["rev-parse", "HEAD"]));
  };
}

/** The files of Git for an unfinished action, and the action. */
const underWay = {
  MERGE_HEAD: "merge",
  REVERT_HEAD: "revert",
  CHERRY_PICK_HEAD: "cherry-pick",
  "rebase-merge": "rebase",
  "rebase-apply": "rebase",
};
