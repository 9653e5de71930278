import { ApiError, InterruptedError, InvalidRequestError, UnclearOutcomeError } from "../api/index.ts";
import type { OutcomeCode } from "../problems/codes.ts";
import type { Fields } from "../values/json.ts";
import type { Remedy } from "../problems/remedy.ts";

/** Details of a failed operation. */
export interface OperationErrorOptions extends ErrorOptions {
  remedies?: readonly Remedy[];
  /** The ids of resources that this run created twice or under another name. */
  made?: readonly string[];
}

/**
 * An operation that could not be carried out as planned. Nothing has been lost. `unclear` and `pending` may have
 * changed something; after `duplicated` and `renamed` this run has created a resource twice or under another name, and
 * after `value_lost` one whose value nobody knows; after `deployment` a deployment was started and failed. After the
 * other codes nothing has changed.
 */
export class OperationError extends Error {
  override readonly name: string = "OperationError";
  readonly code: OutcomeCode;
  /** The remedy, for a front end to phrase. */
  readonly remedies: readonly Remedy[];
  /** The ids of resources that this run created; empty if there are none or the run does not know. */
  readonly made: readonly string[];

  constructor(code: OutcomeCode, message: string, options: OperationErrorOptions = {}) {
    super(message, "cause" in options ? { cause: options.cause } : undefined);
    this.code = code;
    this.remedies = options.remedies ?? [];
    this.made = options.made ?? [];
  }
}

/** The error for a clone or a creation that continues without this run. */
export function uncopied(message: string): OperationError {
  const remedies: Remedy[] = [{ again: "run" }, { setting: "clone_timeout" }];
  return new OperationError("pending", message, { remedies });
}

/** The error where what the plan saw is no longer so; nothing has been lost, and a new plan is needed. */
export function outdated(code: OutcomeCode, message: string, cause?: unknown): OperationError {
  return new OperationError(code, message, {
    ...(cause !== undefined && { cause }),
    remedies: [{ again: "plan" }],
  });
}

/** The error for a write whose outcome is unknown. @param what the possible event @param why the reason why nobody knows */
export function unclear(what: string, why: string, cause: unknown): OperationError {
  return new OperationError("unclear", `${what}, and ${why}`, { cause, remedies: [{ again: "run" }] });
}

/** The error for a write that the server has answered with success, while no read shows it. @param what the write, as a noun */
export function notShown(what: string): OperationError {
  return new OperationError(
    "pending",
    `the server has accepted ${what}, and a read after its answer does not show it`,
    { remedies: [{ again: "run" }] },
  );
}

/** Sends a body with members that this version does not know, and without them if the server refuses; that takes a consent. */
export async function sendBack<Answer>(
  what: string,
  members: string,
  lacking: readonly Remedy[] | undefined,
  send: (withUnknown: boolean) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await send(members !== "");
  } catch (cause) {
    if (!(cause instanceof InvalidRequestError) || members === "") throw cause;
    if (lacking?.length === 0) return send(false);
    throw new OperationError(
      "changed",
      `the server has refused the change of ${what}. The request repeats members that this version of infrasync does not know (${members}): ${cause.message}. A request without these members would delete them`,
      { cause, ...(lacking && { remedies: lacking }) },
    );
  }
}

/** Errors whose message says which changes were made. */
const tellsWhatIsDone = new Set<OperationError["code"]>(["pending", "duplicated", "renamed", "value_lost"]);

/** The finished part of a change whose first request succeeded, and whose later ones did not. */
export const partlyMade = "part of the change has been made";

/** The finished part of a change, when a later step has failed; `made`: the id of the new resource. */
export function unfinished(done: string, error: unknown, made?: string): OperationError {
  if (error instanceof OperationError && tellsWhatIsDone.has(error.code)) return error;
  const why =
    error instanceof InterruptedError
      ? "the run was interrupted"
      : `the next step failed: ${messageOf(error)}`;
  return new OperationError("pending", `${done}, and ${why}`, {
    cause: error,
    remedies: [{ again: "run" }],
    ...(made !== undefined && { made: [made] }),
  });
}

/** A replacement deleted a resource and did not create it again. The error carries its configuration. */
export class LostInReplacementError extends OperationError {
  override readonly name = "LostInReplacementError";
  /** The fields to create it with, in manifest form; references are `{id, name?}`. */
  readonly fields: Fields;

  constructor(message: string, fields: Fields, options?: OperationErrorOptions) {
    super("lost", message, options);
    this.fields = fields;
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The reason why a write was given up, without advice, which is given beside it. */
export function reasonOf(error: unknown): string {
  const reason =
    error instanceof UnclearOutcomeError && error.cause instanceof ApiError ? error.cause : error;
  return reason instanceof ApiError ? reason.summary : messageOf(reason);
}
