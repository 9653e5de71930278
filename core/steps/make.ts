import { InvalidRequestError } from "../api/index.ts";
import type { LiveResource } from "../live/index.ts";
import type { OperationContext } from "./context.ts";
import type { Place } from "./find.ts";
import { findMade, untilListed } from "./made.ts";
import { Tries, type Verdict, write, type WritePolicy, type WriteWords } from "./write.ts";

/** How what makes a resource is treated: one repetition at most, as each may make a twin. */
const creation: WritePolicy = { resends: 1, looksAtOnce: true, pause: 500 };

const words: WriteWords = {
  perhaps: "it may or may not have been made",
  checking: "checking whether it was made",
  vain: (limit) => `nothing of that name has appeared for ${limit} s`,
  busy: (limit) => `another operation has been under way for ${limit} s`,
};

/** A request that makes a resource. */
export interface Making<Answer> {
  place: Place;
  /** How long it is tried, in milliseconds. */
  limit: number;
  /** Looks before the first request as well. */
  looksFirst?: true;
  /** Whether a resource has the fields that are sent. */
  isAsWanted(resource: LiveResource): boolean;
  /** Gives undefined for an answer that does not say what was made. */
  send(tries: Tries): Promise<Answer | undefined>;
}

/** How a resource came to be: by the answer to a request, or because it was there when it was looked for. */
export type Made<Answer> = { answer: Answer; tries: Tries } | { there: LiveResource; isPerhapsOurs: boolean };

/**
 * Sends the request that makes a resource until it is accepted or the resource is there, but once more at most when it
 * may have been carried out.
 *
 * @throws OperationError `busy`, `unclear`, `pending`, `twins`, `duplicated` or `renamed`
 */
export async function makeOnce<Answer>(
  context: OperationContext,
  { place, limit, looksFirst, isAsWanted, send }: Making<Answer>,
): Promise<Made<Answer>> {
  const tries = new Tries();
  const lookForIt = async (): Promise<Made<Answer> | undefined> => {
    const contents = await context.looks.look(place.kind.parent, place.parentId);
    const there = findMade(place, contents, tries, isAsWanted);
    return there && { there, isPerhapsOurs: tries.isPerhaps };
  };
  const look = async (): Promise<Verdict<undefined, Made<Answer>>> => {
    const end = tries.isBegun || looksFirst ? await lookForIt() : undefined;
    return end ? { end } : { send: undefined };
  };
  const sendIt = async (): Promise<Made<Answer> | undefined> => {
    try {
      const answer = await send(tries);
      return answer === undefined ? undefined : { answer, tries };
    } catch (error) {
      // An earlier try may have taken the name.
      const there = tries.isPerhaps && error instanceof InvalidRequestError && (await lookForIt());
      if (there) return there;
      throw error;
    }
  };
  const made = await write(context, { policy: creation, words, limit, look, send: sendIt }, tries);
  if (!("there" in made) || tries.sends < 2) return made;
  const there = (await untilListed(context, place, tries, undefined, limit)) ?? made.there;
  return { ...made, there };
}
