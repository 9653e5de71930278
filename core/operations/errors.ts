import type { Fields } from "../json.ts";

/** An operation that could not be carried out as planned. Nothing has been lost; the message says what to do. */
export class OperationError extends Error {
  override readonly name: string = "OperationError";
  readonly code: "changed" | "gone" | "exists" | "busy" | "unclear" | "pending" | "twins" | "lost";

  constructor(code: OperationError["code"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** A resource was deleted to be replaced, and not made again. Its manifest is all that is left of it. */
export class LostInReplacementError extends OperationError {
  override readonly name = "LostInReplacementError";
  /** Fields to make it with, in manifest form; references are `{id, name?}`. */
  readonly fields: Fields;

  constructor(message: string, fields: Fields, options?: ErrorOptions) {
    super("lost", message, options);
    this.fields = fields;
  }
}

/** What an error says. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
