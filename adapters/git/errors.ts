/** The repository could not be read, or not completely, so nothing follows from the parts that were read. */
export class GitError extends Error {
  override readonly name = "GitError";
  readonly failure:
    | "no_git"
    /** The remote did not answer, or refused. */
    | "unreachable"
    | "no_branch"
    | "no_path"
    | "timeout"
    /** The repository exceeds the limits of reading. */
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
