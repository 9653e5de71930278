import { showsMember } from "../../core/fields/unkept.ts";
import type { Fields } from "../../core/json.ts";
import type { Kind } from "../../core/kinds/index.ts";
import type { LiveResource } from "../../core/live/index.ts";
import { type Properties, type StatedInputs } from "./inputs.ts";
import { recall, type RememberedInputs } from "./outputs.ts";
import { withChangedValues, withMovedKeys } from "./parts.ts";
import type { ProgramQuestion } from "./question.ts";
import { hasMember, withResets } from "./shape.ts";
import { shownIn } from "./shown.ts";
import { stateOf } from "./world.ts";

/** Whether a new resource can be made. @param known of the place where it is going to be made, and of the source of a clone */
export function creationOf(
  kind: Kind,
  { parentId = "organization", name, fields, ignored, cloneFrom }: StatedInputs,
  known: Pick<ProgramQuestion, "beside" | "others" | "source"> = {},
): ProgramQuestion {
  return { kind, parentId, name, stated: fields, ignored, cloneFrom, ...known };
}

/** What inputs change of a resource. @param stated the fields to state of it */
export function changeOf(
  existing: LiveResource,
  { name, ignored }: Pick<StatedInputs, "name" | "ignored">,
  stated: Fields,
): ProgramQuestion {
  const { kind, parentId } = existing;
  return { kind, parentId, name, stated, ignored, existing };
}

/** What inputs change of a resource of the state. The fields of an unfinished one are not known yet. */
export function changeInState(
  kind: Kind,
  id: string,
  olds: Properties,
  stated: StatedInputs,
  now: number,
): ProgramQuestion {
  const memory = recall(olds);
  const state = stateOf(kind, id, olds);
  if (memory.isUnfinished) return changeOf(state, stated, {});
  return {
    ...changeFrom(state, memory, stated, now),
    // A property that the last program stated has been sent, and outputs have it if the server shows it.
    shows: (path) => !hasMember(memory.shape, path) || showsMember(state.fields, path),
  };
}

/**
 * What inputs change of a resource that the program has made or taken over: the fields that it no longer states are reset,
 * except on a clone, where such fields stay, but for a key that becomes another sort of part. A secret whose value is another than the last one is written again.
 *
 * @param before its fields in the state; default: as it is
 */
export function changeFrom(
  live: LiveResource,
  memory: RememberedInputs,
  stated: StatedInputs,
  now: number,
  before = live.fields,
): ProgramQuestion {
  const { kind } = live;
  const { shape, cloneFrom } = memory;
  const { fields } = stated;
  const whole =
    cloneFrom === undefined ? withResets(kind.fields, fields, shape) : withMovedKeys(kind, fields, shape);
  return {
    ...changeOf(live, stated, withChangedValues(kind, whole, before)),
    now,
  };
}

/** Covers whatever is in a resource. */
const everything = { text: "**", matches: () => true, looksInside: () => true };

/**
 * Whether a resource of the state can be deleted.
 *
 * @param mayEmpty whether all that is in it may go along: the program agrees, or deletes it before
 * @param token that of the run
 */
export function deletionOf(
  kind: Kind,
  id: string,
  olds: Properties,
  { mayEmpty, token }: { mayEmpty: boolean; token: string },
): ProgramQuestion {
  const existing = stateOf(kind, id, olds);
  const { name, parentId } = existing;
  const policy = {
    ownToken: ownTokenIn(kind, id, olds, token),
    ...(mayEmpty && { prune: true, allowReplace: [everything] }),
  };
  return { kind, parentId, name, stated: {}, existing, ends: true, policy };
}

/** The id of a token that the run uses; null where it uses another one; undefined where the state does not tell. */
function ownTokenIn(kind: Kind, id: string, olds: Properties, token: string): string | null | undefined {
  const value = shownIn(kind, olds);
  if (value === token) return id;
  // What was made halfway is nobody's.
  return value !== undefined || recall(olds).isUnfinished ? null : undefined;
}
