import { type Git, linesOf } from "./objects.ts";

/** A commit for people. Its author has written both texts. */
export interface CommitNote {
  /** The first line of its message. */
  subject: string;
  author: string;
  /** When it was made, in milliseconds since 1970. */
  at: number;
}

const format = "--format=%H%x00%ct%x00%an%x00%s";

/** The notes of commits by id, without those that the repository does not have. @throws GitError */
export async function describeCommits(git: Git, ids: readonly string[]): Promise<Map<string, CommitNote>> {
  const input = ids.map((id) => `${id}\n`).join("");
  return notesIn(await git(["log", "--no-walk=unsorted", "--ignore-missing", "--stdin", format], { input }));
}

/** The last commits that changed a folder, the newest first; of merges, only the first branch. @throws GitError */
export async function commitsOf(
  git: Git,
  commit: string,
  path: string,
  most: number,
): Promise<Map<string, CommitNote>> {
  const within = path === "" ? [] : ["--", path];
  return notesIn(await git(["log", "--first-parent", `--max-count=${most}`, format, commit, ...within]));
}

function notesIn({ stdout }: { stdout: Buffer }): Map<string, CommitNote> {
  return new Map(
    linesOf(stdout).map((line) => {
      const [id = "", time, author = "", subject = ""] = line.split("\0");
      return [id, { subject, author, at: Number(time) * 1000 }] as const;
    }),
  );
}
