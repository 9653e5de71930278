import { formatAddress } from "../address.ts";
import type { Action } from "./action.ts";
import { type Loss, subjectOf, wordsFor } from "../loss.ts";

/** A loss and the action that causes it. */
export interface CausedLoss {
  loss: Loss;
  action: Action;
}

/** Everything that is lost because of actions: the resources that they delete or replace, and all that goes along. */
export function lossesOf(actions: readonly Action[]): CausedLoss[] {
  return actions.flatMap((action): CausedLoss[] => {
    const { address } = action;
    if (action.type === "update") return (action.losses ?? []).map((loss) => ({ loss, action }));
    if (action.type !== "delete" && action.type !== "replace") return [];
    const itself: Loss = {
      sort: "resource",
      what: address.kind.slug,
      name: "",
      address,
      ...(action.liveAddress && { liveAddress: action.liveAddress }),
      id: action.resourceId,
      described: action.type === "replace",
      restorable: address.kind.isData !== true,
    };
    return [itself, ...action.losses].map((loss) => ({ loss, action }));
  });
}

/**
 * Whether a loss counts for the caps. What belongs to a resource that is itself deleted or replaced does not, and a resource
 * that has an action of its own counts there.
 */
export function isCounted({ loss, action }: CausedLoss): boolean {
  if (action.type === "update") return true;
  return loss.sort === "resource" && (loss.name === "" || !loss.described);
}

/** A loss with its resource: `job:shop/staging/a`, `the variable KEY of job:shop/staging/a`. */
export function titleOf({ loss, action }: CausedLoss): string {
  const subject = subjectOf(loss);
  if (!subject) return wordsFor(loss, "the");
  const address = formatAddress(subject.address);
  if (loss.sort === "resource") return address;
  return `${wordsFor({ ...loss, name: ownName({ loss, action }) }, "the")} of ${address}`;
}

/** The name of a loss, seen from the resource that has it: `KEY`. */
export function ownName({ loss, action }: CausedLoss): string {
  const subject = subjectOf(loss);
  const inside = subject?.address.names.slice(action.address.names.length).join("/") ?? "";
  if (inside === "") return loss.name;
  return loss.name === inside ? "" : loss.name.slice(inside.length + 2);
}
