/** The repository could not be read, or not completely: nothing may be concluded from what was read. */
export class GitError extends Error {
  override readonly name = "GitError";
  /** Why it could not be read. */
  readonly failure:
    /** The `git` program is missing. */
    | "no_git"
    /** The remote did not answer, or refused. */
    | "unreachable"
    /** The remote has no such branch. */
    | "no_branch"
    /** The commit has no such folder. */
    | "no_path"
    /** A call took too long. */
    | "timeout"
    /** The repository has more than is read. */
    | "too_large"
    | "interrupted"
    | "failed";
  readonly advice: string;

  constructor(failure: GitError["failure"], message: string, advice: string) {
    super(message);
    this.failure = failure;
    this.advice = advice;
  }
}
