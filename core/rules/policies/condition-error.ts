/** A condition that has a mistake, or that cannot be evaluated for a change. */
export class ConditionError extends Error {
  override readonly name = "ConditionError";
  /** Where the mistake is in the text of the condition, in characters from 0. */
  readonly offset: number;

  constructor(message: string, offset = 0, options?: ErrorOptions) {
    super(message, options);
    this.offset = offset;
  }
}
