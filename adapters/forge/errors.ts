/** A failed request to a Git host. No message contains the token. */
export class ForgeError extends Error {
  override readonly name = "ForgeError";
  readonly failure: "unreachable" | "limited" | "refused" | "missing" | "unexpected" | "interrupted";
  readonly advice: string;
  /** The status of the answer; undefined: there was none. */
  readonly status: number | undefined;

  constructor(failure: ForgeError["failure"], message: string, advice: string, status?: number) {
    super(message);
    this.failure = failure;
    this.advice = advice;
    this.status = status;
  }
}
