import { formatReference, parseAddress } from "../address.ts";
import {
  ForbiddenError,
  InterruptedError,
  QuotaError,
  RateLimitedError,
  UnauthorizedError,
} from "../api/index.ts";
import { toStated } from "../dump/index.ts";
import { formatPath } from "../fields/compare.ts";
import type { Fields } from "../json.ts";
import { kindOf } from "../kinds/index.ts";
import { LostInReplacementError, messageOf, OperationError } from "../steps/index.ts";
import type { Action, ReplaceAction } from "../plan/index.ts";
import { remediesOf } from "../remedy.ts";
import type { Outcome, Stop } from "./report.ts";

export const interrupted: Stop = { reason: "interrupted", message: "the run was interrupted" };

/** Why nothing more is to be started after an error; undefined when the rest can go on. */
export function stopFor(error: unknown): Stop | undefined {
  for (const cause of chainOf(error)) {
    if (cause instanceof InterruptedError) return interrupted;
    const reason = reasonOf(cause);
    const remedies = remediesOf(cause);
    if (reason) return { reason, message: cause.message, ...(remedies.length > 0 && { remedies }) };
  }
  return undefined;
}

function reasonOf(error: Error): Stop["reason"] | undefined {
  if (error instanceof UnauthorizedError) return "unauthorized";
  if (error instanceof ForbiddenError) return "forbidden";
  return error instanceof RateLimitedError || error instanceof QuotaError ? "quota" : undefined;
}

/** Why an action was not started after a stop; the reason for the stop is in the report, once. */
export const hadStopped = "the run had stopped";

/** What became of an action that ended in an error. */
export function failure(action: Action, error: unknown): Outcome {
  const { address, type } = action;
  // Once something has been changed, these are only the cause of another error.
  if (error instanceof InterruptedError || error instanceof QuotaError || error instanceof RateLimitedError)
    return { address, type, status: "skipped", code: error.code, message: hadStopped };
  const code =
    error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
  const remedies = remediesOf(error);
  const isLost = error instanceof LostInReplacementError;
  const isPending =
    (error instanceof OperationError && error.code === "pending") ||
    chainOf(error).some((cause) => cause instanceof InterruptedError);
  return {
    address,
    type,
    status: isPending && !isLost ? "pending" : "failed",
    message: messageOf(error),
    ...(remedies.length > 0 && { remedies }),
    ...(code !== undefined && { code }),
    ...(isLost && { lost: manifestOf(action, error.fields) }),
  };
}

/** What is left of a resource that went with its holder and is not made again. */
export function lostWithHolder(action: ReplaceAction, why: string): Outcome {
  const { address, type, fields, removedBy } = action;
  return {
    address,
    type,
    status: "failed",
    code: "lost",
    message: `it has been deleted with ${removedBy}, and not made again (${why}); apply the manifest that follows to have it back`,
    lost: manifestOf(action, fields),
  };
}

function manifestOf(action: Action, fields: Fields): NonNullable<Outcome["lost"]> {
  const { address, kind, name } = action;
  const names = parseAddress(address)?.names ?? [];
  const parent = names.length > 1 ? formatReference(names.slice(0, -1)) : undefined;
  const oldName = action.type === "replace" ? oldNameOf(action) : undefined;
  return {
    kind,
    parent,
    name,
    // The old one may be there still: then it is meant, and nothing is made beside it.
    ...(oldName !== undefined && { manage: { renamed_from: oldName } }),
    fields: toStated(kindOf(kind).fields, fields),
  };
}

/** The name of what is replaced, where the new one gets another. */
function oldNameOf({ changes }: ReplaceAction): string | undefined {
  const before = changes.find(({ path }) => formatPath(path) === "name")?.before;
  return typeof before === "string" ? before : undefined;
}

function chainOf(error: unknown): Error[] {
  const chain: Error[] = [];
  for (let at = error; at instanceof Error; at = at.cause) chain.push(at);
  return chain;
}
