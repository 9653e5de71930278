import { dirname, resolve } from "node:path";
import { causeOf } from "../../core/program-cause.ts";
import { short, GitError, runGit } from "../../adapters/git/index.ts";
import type { Io } from "../terminal/io.ts";

/**
 * Commits files, and nothing else, on the branch that is checked out around them.
 *
 * @returns the short id of the commit
 * @throws GitError
 */
export async function commitFiles(
  files: readonly string[],
  message: string,
  { env, signal }: Pick<Io, "env" | "signal">,
): Promise<string> {
  const paths = files.map((file) => resolve(file));
  const folder = dirname(paths[0] ?? ".");
  const git = async (...args: string[]) => {
    const { stdout, stderr, code } = await runGit(args, { folder, env, signal });
    if (code === 0) return stdout.toString().trim();
    throw new GitError(
      "failed",
      `the files are written, but git ${args[0]} failed: ${causeOf(stderr).message}`,
      "commit them by hand",
    );
  };
  await git("add", "--", ...paths);
  await git("commit", "--quiet", "--message", message, "--", ...paths);
  return short(await git("rev-parse", "HEAD"));
}
