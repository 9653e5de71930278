import type { Remedy } from "../remedy.ts";

/** Why the value of a secret cannot be had. Its message has nothing of the value. */
export class SecretSourceError extends Error {
  override readonly name = "SecretSourceError";
  readonly advice: string;
  readonly remedies: readonly Remedy[];

  constructor(message: string, advice: string, remedies: readonly Remedy[] = []) {
    super(message);
    this.advice = advice;
    this.remedies = remedies;
  }
}
