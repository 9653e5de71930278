import { formatAddress, parentAddress } from "../../model/addresses/address.ts";
import { ApiError, ForbiddenError, InterruptedError, isQuota, UnauthorizedError } from "../../api/index.ts";
import { toDeclared } from "../../import/live/index.ts";
import { formatPath } from "../../model/fields/compare.ts";
import type { Fields } from "../../values/json.ts";
import { LostInReplacementError, messageOf, OperationError } from "../../operations/index.ts";
import { type Action, isReplacement } from "../../planning/plan/index.ts";
import { DeploymentError } from "./deployments.ts";
import { remediesOf } from "../../problems/remedy.ts";
import { type Outcome, outcomeOf, type Stop } from "./report.ts";
import { codeOf } from "../../values/error-code.ts";

export const interrupted: Stop = { reason: "interrupted", message: "the run was interrupted" };

export const standstill: Stop = {
  reason: "standstill",
  message: "the run was waiting for an event that will not happen",
};

/** A run that was interrupted for a reason, if it is known. @param reason of a signal, or of a refused write */
export function interruptedBy(reason: unknown): Stop {
  const isReported = reason instanceof Error && reason.name !== "AbortError";
  return isReported ? { reason: "interrupted", message: reason.message } : interrupted;
}

/** Undefined: other actions may start. */
export function stopFor(error: unknown): Stop | undefined {
  for (const cause of chainOf(error)) {
    if (cause instanceof InterruptedError) return interruptedBy(cause.cause);
    const reason = reasonOf(cause);
    const remedies = remediesOf(cause);
    if (reason) return { reason, message: cause.message, ...(remedies.length > 0 && { remedies }) };
  }
  return undefined;
}

function reasonOf(error: Error): Stop["reason"] | undefined {
  if (error instanceof OperationError && error.code === "server_failing") return "server_failing";
  if (error instanceof UnauthorizedError) return "unauthorized";
  if (error instanceof ForbiddenError) return "forbidden";
  return isQuota(error) ? "quota" : undefined;
}

/** Why an action was not started after a stop. What interrupts a service stands here; other reasons are in the report, once. */
export function hadStopped(stop?: Stop): string {
  const isReported = stop?.reason === "interrupted" && stop.message !== interrupted.message;
  return isReported ? `the run had stopped: ${stop.message}` : "the run had stopped";
}

export function failure(action: Action, error: unknown): Outcome {
  // After a change these errors are only the cause of another one.
  if (error instanceof ApiError && (error instanceof InterruptedError || isQuota(error)))
    return outcomeOf(action, "skipped", { code: error.code, message: hadStopped(stopFor(error)) });
  const remedies = remediesOf(error);
  const isLost = error instanceof LostInReplacementError;
  const isPending =
    (error instanceof OperationError && error.code === "pending") ||
    chainOf(error).some((cause) => cause instanceof InterruptedError);
  return outcomeOf(action, isPending && !isLost ? "pending" : "failed", {
    message: messageOf(error),
    ...(remedies.length > 0 && { remedies }),
    code: codeOf(error),
    ...(error instanceof DeploymentError && { logs: error.logs, before: error.before }),
    ...(isLost && { lost: leftOf(action, error.fields) }),
  });
}

/** The outcome of a started action at a standstill, with the configuration of a resource that a replacement may have deleted. */
export function stalled(action: Action): Outcome {
  const isLost = isReplacement(action);
  return outcomeOf(action, isLost ? "failed" : "pending", {
    code: "unclear",
    message: "the action had started, and its result is unknown",
    ...(isLost && { remedies: [{ recreate: "when_gone" }], lost: leftOf(action, action.expected) }),
  });
}

/** The outcome for a resource that was deleted with its parent and not created again. */
export function lostWithParent(action: Action, why: string): Outcome {
  const parent = parentAddress(action.address);
  return outcomeOf(action, "failed", {
    code: "lost",
    message: `the resource was deleted with ${parent ? formatAddress(parent) : "its parent"}, and was not created again (${why})`,
    remedies: [{ recreate: "now" }],
    lost: leftOf(action, action.expected),
  });
}

function leftOf(action: Action, fields: Fields): NonNullable<Outcome["lost"]> {
  const oldName = isReplacement(action) ? oldNameOf(action) : undefined;
  return {
    // The old resource may still exist: then the manifest has to mean it, and must not create a second one.
    renamedFrom: oldName,
    fields: toDeclared(action.address.kind.fields, fields),
  };
}

export function oldNameOf({ changes }: Pick<Action, "changes">): string | undefined {
  const before = changes.find(({ path }) => formatPath(path) === "name")?.before;
  return typeof before === "string" ? before : undefined;
}

function chainOf(error: unknown): Error[] {
  const chain: Error[] = [];
  for (let at = error; at instanceof Error; at = at.cause) chain.push(at);
  return chain;
}
