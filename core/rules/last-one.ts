import type { Fields } from "../values/json.ts";
import type { Kind } from "../model/kinds/index.ts";
import { sameId } from "../state/live/index.ts";

/** The members of a live resource for this rule. */
interface Holder {
  id: string;
  fields: Fields;
}

/**
 * Why a resource cannot be deleted or changed: its parent needs at least one such resource, and this is the last, such
 * as the last owner of an organization. Undefined: another one remains, or the resource still counts afterwards.
 *
 * @param all the resources of the kind in the parent
 * @param after the later fields of a resource; undefined if it is deleted
 */
export function takesLast(
  { deletion }: Kind,
  id: string,
  all: readonly Holder[],
  after: (one: Holder) => Fields | undefined,
): { message: string; advice: string } | undefined {
  const itself = all.find((each) => sameId(each.id, id));
  const keepsOne = deletion?.keepsOne;
  if (!keepsOne || !itself || !keepsOne.holds(itself.fields)) return undefined;
  const isLeft = all.some((each) => {
    const fields = after(each);
    return fields !== undefined && keepsOne.holds(fields);
  });
  if (isLeft) return undefined;
  const fate = after(itself) ? "changed so" : "deleted";
  return { message: `cannot be ${fate}: it is ${keepsOne.last}`, advice: keepsOne.advice };
}
