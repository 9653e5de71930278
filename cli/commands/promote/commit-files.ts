import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { causeOf } from "../../../core/files/program-cause.ts";
import { InvalidInputError, type Problem } from "../../../core/problems/problem.ts";
import { short, GitError, runGit } from "../../../adapters/git/index.ts";
import type { Io } from "../../terminal/io.ts";

/** The most milliseconds for Git and the hooks of a commit. */
const longestCommit = 600_000;

/** Prepares a commit of only these files, with hooks; its result makes it, and returns the id. Throws before anything is written. */
export async function prepareCommit(
  files: readonly string[],
  { env, signal }: Pick<Io, "env" | "signal">,
): Promise<(message: string) => Promise<string>> {
  const paths = files.map((file) => resolve(file));
  const folder = dirname(paths[0] ?? ".");
  const call = { folder, env, signal, withHooks: true, timeout: longestCommit };
  const textOf = async (...args: string[]) => (await runGit(args, call)).stdout.toString().trim();
  const problems: Problem[] = [];
  const refuse = (message: string, advice: string) => problems.push({ code: "argument", message, advice });
  if ((await textOf("rev-parse", "--is-inside-work-tree")) !== "true")
    refuse("the manifests are in no git repository", "leave out --commit");
  else {
    if ((await textOf("symbolic-ref", "--quiet", "HEAD")) === "")
      refuse(
        "no branch is checked out, so the commit would be lost",
        "check out a branch: git switch BRANCH",
      );
    if ((await textOf("status", "--porcelain", "--", ...paths)) !== "")
      refuse("files to change have uncommitted changes", "commit or restore them, and run again");
    for (const [head, action] of Object.entries(underWay))
      if (existsSync(resolve(folder, await textOf("rev-parse", "--git-path", head))))
        refuse(`a ${action} is under way in the repository`, `finish it, or abort it: git ${action} --abort`);
  }
  if (problems.length > 0) throw new InvalidInputError(problems);
  const git = async (...args: string[]) => {
    const { stdout, stderr, code } = await runGit(args, call);
    if (code === 0) return stdout.toString().trim();
    throw new GitError(
      "failed",
      `the files are written, but git ${args[0]} failed: ${causeOf(stderr).message}`,
      "commit them manually",
    );
  };
  return async (message) => {
    await git("add", "--", ...paths);
    await git("commit", "--quiet", "--message", message, "--", ...paths);
    return short(await git("rev-parse", "HEAD"));
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
