import {
  ConflictError,
  InvalidRequestError,
  UnclearOutcomeError,
  UnexpectedAnswerError,
} from "../api/index.ts";
import type { LiveResource } from "../live/index.ts";
import type { OperationContext } from "./context.ts";
import { messageOf, OperationError, unclear } from "./errors.ts";
import { lookByName, type Place } from "./find.ts";
import { pollDelay, until } from "./wait.ts";

/** A pause between two looks after an unclear write, in milliseconds: what was asked for may take a moment to show. */
export const pause = 500;

const perhapsMade = "it may or may not have been made";

/** How a resource came to be: by the answer to a request, or because it was there when it was looked for. */
export type Made<Answer> = { answer: Answer } | { there: LiveResource; isPerhapsOurs: boolean };

/**
 * Sends the request that makes a resource until it is accepted or the resource is there. After an answer that leaves
 * the outcome unknown it looks by parent and name, and right before each repetition again. What has been accepted in
 * so many words is only waited for.
 *
 * @param limit how long it tries, in milliseconds
 * @param send gives undefined for an answer that tells nothing
 * @throws OperationError `busy`, `unclear` or `twins`
 */
export async function makeOnce<Answer>(
  context: OperationContext,
  place: Place,
  limit: number,
  send: () => Promise<Answer | undefined>,
): Promise<Made<Answer>> {
  const { clock, signal } = context;
  let isPerhapsOurs = false;
  let isAccepted = false;
  let failure: unknown;
  const tryOnce = async (attempt: number): Promise<Made<Answer> | undefined> => {
    await clock.sleep(isPerhapsOurs ? Math.max(pause, pollDelay(attempt)) : pollDelay(attempt), signal);
    if (attempt > 0) {
      const there = await lookAfter(context, place, isPerhapsOurs);
      if (there) return { there, isPerhapsOurs };
      if (isAccepted) return undefined;
    }
    try {
      const answer = await send();
      if (answer !== undefined) return { answer };
      failure = new Error("the answer tells nothing");
    } catch (error) {
      failure = error;
      if (error instanceof ConflictError) return undefined;
      const mayBeTaken = isPerhapsOurs && error instanceof InvalidRequestError;
      const mayBeMade = error instanceof UnclearOutcomeError;
      if (!mayBeTaken && !mayBeMade)
        throw isPerhapsOurs ? unclear(perhapsMade, `the next try failed: ${messageOf(error)}`, error) : error;
    }
    isPerhapsOurs = true;
    isAccepted = saysYes(failure);
    const there = await lookAfter(context, place, isPerhapsOurs);
    if (there) return { there, isPerhapsOurs };
    // It is not the name, which an earlier try might have taken, but what was sent.
    if (failure instanceof InvalidRequestError) throw failure;
    return undefined;
  };
  const made = await until(clock, limit, signal, tryOnce, (interruption) =>
    isPerhapsOurs
      ? unclear(perhapsMade, "the run was interrupted before it has appeared", interruption)
      : undefined,
  );
  if (made) return made;
  const why = `nothing of that name has appeared for ${limit / 1000} s: ${messageOf(failure)}`;
  if (isPerhapsOurs) throw unclear(perhapsMade, why, failure);
  throw new OperationError(
    "busy",
    `another operation has been under way for ${limit / 1000} s: ${messageOf(failure)}; run again later`,
    { cause: failure },
  );
}

/** Whether an answer that tells nothing else says that the request has been accepted: 201 or 202. */
function saysYes(error: unknown): boolean {
  const { cause } = error instanceof Error ? error : {};
  return cause instanceof UnexpectedAnswerError && (cause.status === 201 || cause.status === 202);
}

/** Looks for what may have been made. */
async function lookAfter(
  context: OperationContext,
  place: Place,
  isPerhapsOurs: boolean,
): Promise<LiveResource | undefined> {
  try {
    return await lookByName(context, place);
  } catch (error) {
    if (!isPerhapsOurs || error instanceof OperationError) throw error;
    throw unclear(perhapsMade, `the look that was to tell failed: ${messageOf(error)}`, error);
  }
}
