/** Why a forge did not do what it was asked. */
export type ForgeFailure = "unreachable" | "limited" | "refused" | "missing" | "unexpected" | "interrupted";

/** A request to a forge has failed. No message contains the token. */
export class ForgeError extends Error {
  override readonly name = "ForgeError";
  readonly failure: ForgeFailure;
  readonly advice: string;
  /** The status of the answer; undefined if there was none. */
  readonly status: number | undefined;

  constructor(failure: ForgeFailure, message: string, advice: string, status?: number) {
    super(message);
    this.failure = failure;
    this.advice = advice;
    this.status = status;
  }
}
