/** A mistake of a condition, or its failed evaluation for a change. */
export class ConditionError extends Error {
  override readonly name = "ConditionError";
  /** The offset of the mistake in the text of the condition, in characters from 0. */
  readonly offset: number;

  constructor(message: string, offset = 0, options?: ErrorOptions) {
    super(message, options);
    this.offset = offset;
  }
}
