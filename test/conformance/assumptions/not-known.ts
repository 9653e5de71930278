/** Thrown by a case that cannot tell. */
export class NotKnown extends Error {
  override readonly name = "NotKnown";
}

/** Thrown where no further request makes sense: the quota is used up, or the token is not valid. */
export class Halted extends NotKnown {}

/** An error as what could not be told. @throws the error if it is of another sort */
export function asNotKnown(error: unknown): NotKnown {
  if (error instanceof NotKnown) return error;
  throw error;
}
