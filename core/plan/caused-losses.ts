import { formatAddress } from "../address.ts";
import type { Action } from "./action.ts";
import { type Loss, subjectOf, wordsFor } from "../loss.ts";
import { isReplacement, updates } from "./action-types.ts";
import { isDestructive } from "./departures.ts";

/** A loss and the action that causes it. */
export interface CausedLoss {
  loss: Loss;
  action: Action;
}

/** Everything that is lost because of actions: the resources that they delete or replace, and all that goes along. */
export function lossesOf(actions: readonly Action[]): CausedLoss[] {
  return actions.flatMap((action): CausedLoss[] => {
    const { address, liveAddress, losses } = action;
    if (!isDestructive(action)) return losses.map((loss) => ({ loss, action }));
    const itself: Loss = {
      sort: "resource",
      what: address.kind.slug,
      name: "",
      address,
      ...(liveAddress && { liveAddress }),
      id: action.resourceId,
      described: isReplacement(action),
      restorable: address.kind.isData !== true,
    };
    return [itself, ...losses].map((loss) => ({ loss, action }));
  });
}

/** Whether the resource that has what is lost stays: an update takes it, or it goes with a resource beside it. */
export function isOfStaying({ loss, action }: CausedLoss): boolean {
  if (!isDestructive(action)) return true;
  const id = loss.owner?.id;
  return id !== undefined && id !== action.resourceId && !action.contentIds.includes(id);
}

/**
 * Whether a loss counts for the caps. What belongs to a resource that is itself deleted or replaced does not, and a resource
 * that has an action of its own counts there.
 */
export function isCounted(caused: CausedLoss): boolean {
  const { loss } = caused;
  if (isOfStaying(caused)) return true;
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
  // Beside the resource of the action: `web: KEY`.
  if (!updates(action) && subject && isOfStaying({ loss, action }))
    return loss.name.slice((subject.liveAddress ?? subject.address).names.at(-1)?.length ?? 0).slice(2);
  const inside = subject?.address.names.slice(action.address.names.length).join("/") ?? "";
  if (inside === "") return loss.name;
  return loss.name === inside ? "" : loss.name.slice(inside.length + 2);
}
