import { InvalidRequestError } from "../api/index.ts";
import type { LiveResource } from "../state/live/index.ts";
import type { Run } from "./run.ts";
import { holderOf, type ResourcePlace } from "./find.ts";
import { afterFirst } from "./first-creation.ts";
import { findMade, refuseRenamed, untilListed } from "./existing-resource.ts";
import { Tries, type NextStep, write, type WritePolicy, type WriteWords } from "./write.ts";

/** Milliseconds before a list counts as having a resource that was just created: lists lag. */
export const listPause = 500;

/** Milliseconds after a write without an answer for which the server may still carry it out. */
export const lateness = 20_000;

/** A creation is repeated once at most: each repetition may create a second resource. */
const creation: WritePolicy = { resends: 1, checksAtOnce: true, pause: listPause, lateness };

const words: WriteWords = {
  perhaps: "the resource may or may not have been created",
  checking: "checking whether it was created",
  gaveUp: (limit) => `no resource with that name appeared within ${limit}`,
  busy: (limit) => `another operation has been in progress for ${limit}`,
};

/** A request that creates a resource. */
export interface CreationRequest<Answer> {
  place: ResourcePlace;
  limit: number;
  /** Whether to check before the first request as well. */
  checksFirst?: true;
  /** Whether a resource has the fields that are sent. */
  isAsDesired(resource: LiveResource): boolean;
  /** Undefined: the answer does not name the resource. `onMade` gets its id, and whether that may come later than the answer. */
  send(tries: Tries, onMade: (id: string, isLate: boolean) => void): Promise<Answer | undefined>;
}

/** The proof that a resource was created: the answer to a request says so, or the list has it. */
export type CreationResult<Answer> =
  | { answer: Answer; tries: Tries }
  | { there: LiveResource; isPerhapsOurs: boolean };

/** Sends a creation until the resource exists; a request that may have been carried out is repeated once at most. */
export function makeOnce<Answer>(
  run: Run,
  request: CreationRequest<Answer>,
): Promise<CreationResult<Answer>> {
  return afterFirst(run, request.place, (checksFirst) =>
    make(run, checksFirst ? { ...request, checksFirst } : request),
  );
}

async function make<Answer>(
  run: Run,
  { place, limit, checksFirst, isAsDesired, send }: CreationRequest<Answer>,
): Promise<{ made: CreationResult<Answer>; id: string | undefined }> {
  let id: string | undefined;
  const tries = new Tries();
  const findIt = async (): Promise<CreationResult<Answer> | undefined> => {
    const contents = await run.freshLists.readList(place.kind, place.parentId);
    const there = findMade(place, contents, tries, isAsDesired);
    // After two requests there may be two resources under that name, one of them not listed yet.
    if (there && tries.sends < 2) refuseRenamed(place, there);
    return there && { there, isPerhapsOurs: tries.isPerhapsOurs };
  };
  const check = async (): Promise<NextStep<undefined, CreationResult<Answer>>> => {
    const isFirst = !tries.isStarted && !checksFirst;
    const end = isFirst ? undefined : await findIt();
    return end ? { end } : { send: undefined };
  };
  const { creations } = run.live;
  const started = run.client.serverTime;
  const sendIt = async (): Promise<CreationResult<Answer> | undefined> => {
    const onMade = (made: string, isLate: boolean) => {
      creations.made(place, started, made, isLate);
      id = isLate ? undefined : made;
    };
    try {
      const answer = await send(tries, onMade);
      return answer === undefined ? undefined : { answer, tries };
    } catch (error) {
      // An earlier try may have taken the name.
      const there = tries.isPerhapsOurs && error instanceof InvalidRequestError && (await findIt());
      if (there) return there;
      const holder = await holderOf(run, place, error, tries.conflicts);
      if (holder) return { there: holder, isPerhapsOurs: tries.isPerhapsOurs };
      throw error;
    }
  };
  const made = await write(run, { policy: creation, words, limit, check, send: sendIt }, tries);
  if ("there" in made && made.isPerhapsOurs) creations.made(place, started, made.there.id, false);
  if (!("there" in made) || tries.sends < 2) return { made, id };
  const there = (await untilListed(run, place, tries, { limit, isAsDesired })) ?? made.there;
  refuseRenamed(place, there);
  return { made: { ...made, there }, id: undefined };
}
