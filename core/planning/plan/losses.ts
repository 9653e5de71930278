import { own } from "../../values/json.ts";
import { unknownIn } from "../../problems/unknown.ts";
import { type AnyAddress, formatAddress } from "../../model/addresses/address.ts";
import { isForGood, type Loss, subjectOf, wordsFor } from "../../model/loss.ts";
import type { Action } from "./action.ts";
import { isReplacement } from "./action-types.ts";
import { isLiveDeletion } from "./lost-resources.ts";
import type { Plan } from "./plan.ts";

/** A loss and its action. */
export interface CausedLoss {
  loss: Loss;
  action: Action;
}

/** All losses of actions: deleted and replaced resources, and everything deleted with them. */
export function lossesOf(actions: readonly Action[]): CausedLoss[] {
  return actions.flatMap((action): CausedLoss[] => {
    const { address, liveAddress, losses } = action;
    if (!isLiveDeletion(action)) return losses.map((loss) => ({ loss, action }));
    const itself: Loss = {
      sort: "resource",
      what: address.kind.slug,
      name: "",
      address,
      liveAddress,
      id: action.resourceId,
      recreated: isReplacement(action),
      restorable: address.kind.use !== "data",
    };
    return [itself, ...losses].map((loss) => ({ loss, action }));
  });
}

/** Whether the owner of a loss stays: an update, or the deletion of another resource, causes the loss. */
export function isOfStaying({ loss, action }: CausedLoss): boolean {
  if (!isLiveDeletion(action)) return true;
  const id = loss.owner?.id;
  return id !== undefined && id !== action.resourceId && !action.contentIds.includes(id);
}

/** Whether a loss counts for the caps: parts of deleted resources, and resources with their own action, do not. */
export function isCounted(caused: CausedLoss): boolean {
  const { loss } = caused;
  if (isOfStaying(caused)) return true;
  return loss.sort === "resource" && (loss.name === "" || !loss.recreated);
}

/** A loss with its resource: `job:shop/staging/a`, `the variable KEY of job:shop/staging/a`. */
export function titleOf({ loss }: Pick<CausedLoss, "loss">): string {
  const subject = subjectOf(loss);
  if (!subject) return wordsFor(loss, "the");
  const address = formatAddress(subject.address);
  if (loss.sort === "resource") return address;
  return `${wordsFor({ ...loss, of: address }, "the")}`;
}

/** A resource that a plan deletes, or that loses something for good. */
export interface ResourceLosses {
  id: string;
  address: AnyAddress;
  /** `replaced`: deleted and created again. `kept`: loses only the items in `lost`. */
  becomes: "deleted" | "replaced" | "kept";
  /** Losses that cannot be restored, in words: `its data (20 GB)`, `2 secrets (A, B)`. */
  lost: string[];
}

/** All resources that actions delete, or that lose something for good, in the order of the actions. */
export function lossesByResource(actions: readonly Action[]): ResourceLosses[] {
  const bySubject = Map.groupBy(lossesOf(actions), ({ loss }) => subjectOf(loss)?.id ?? "");
  return [...bySubject].flatMap(([id, caused]): ResourceLosses[] => {
    const [first] = caused;
    const subject = first && subjectOf(first.loss);
    if (!first || !subject) return [];
    const whole = caused.filter(({ loss }) => loss.sort === "resource");
    const isReplaced = whole.some(({ loss }) => loss.recreated);
    const becomes = whole.length === 0 ? "kept" : isReplaced ? "replaced" : "deleted";
    const final = caused
      .filter(({ loss }) => loss.sort !== "resource" && isForGood(loss))
      .map(({ loss }) => ({ ...loss, of: undefined }));
    // A backup is data as a whole.
    const itself = whole.some(({ loss }) => !loss.restorable) ? ["all of it"] : [];
    if (becomes === "kept" && final.length === 0) return [];
    return [{ id, address: subject.address, becomes, lost: [...itself, ...wordsForAll(final)] }];
  });
}

/** Losses of one resource in words, grouped by sort: `2 secrets (A, B)`. */
export function wordsForAll(losses: readonly Loss[]): string[] {
  const groups = Map.groupBy(losses, ({ sort, what, name }) => `${sort} ${what} ${name === ""}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first || group.length === 1 || (first.sort !== "part" && first.sort !== "value"))
      return group.map((loss) => wordsFor(loss));
    return [`${group.length} ${first.what}s (${group.map(({ name }) => name).join(", ")})`];
  });
}

/** The losses that count for the caps, each with its action. */
export function countedLossesOf({ actions }: Pick<Plan, "actions">) {
  return lossesOf(actions)
    .filter(isCounted)
    .map((caused) => ({
      key: keyOf(caused),
      title: titleOf(caused),
      id: subjectOf(caused.loss)?.id,
      by: caused.action.id,
    }));
}

/** The same for a loss in each plan of a run: a deletion, and that of a parent, lose the same resource. */
export function keyOf({ loss }: CausedLoss): string {
  const { sort, what, name } = loss;
  return `${subjectOf(loss)?.id} ${sort === "resource" ? sort : `${sort} ${what} ${name}`}`;
}

/** The unknown values on which losses depend. Empty unless all losses are of fields with unknown new values. */
export function unknownBehind(caused: readonly CausedLoss[]): readonly (readonly string[])[] {
  const behind = caused.map(({ loss: { path: [member] = [] }, action }) =>
    member === undefined ? [] : unknownIn(own(action.declared, member), [member]),
  );
  return behind.every((paths) => paths.length > 0) ? behind.flat() : [];
}
