import { digestOfActions } from "../../core/forms/digest.ts";
import { type Action, isChange, type Plan } from "../../core/plan/index.ts";
import { type Mode, modeOf, rulesWhenAsked } from "../policy/index.ts";
import { holderOf, type ShareView } from "./view.ts";

/** The changes of a plan in a share. */
export function changesIn(
  share: ShareView,
  shares: readonly ShareView[],
  { actions }: Pick<Plan, "actions">,
): Action[] {
  return actions.filter(isChange).filter(({ address }) => holderOf(shares, address) === share);
}

/** The digest of what a plan changes in a share, with what it loses: what an approval names. */
export function digestIn(plan: Plan, actions: readonly Action[]): string {
  return digestOfActions({ ...plan, actions });
}

/** Whether a person has asked for the changes of a share: for just these, where an approval names them. */
export function isAskedFor(
  { asked }: Pick<ShareView, "asked">,
  plan: Plan,
  actions: readonly Action[],
): boolean {
  return asked !== undefined && (asked.type === "sync" || asked.plan === digestIn(plan, actions));
}

/** The permission for the changes of a share now, by its rules and the wishes of people. */
export function modeIn(share: ShareView, isCommit: boolean, isAsked: boolean): Mode {
  return modeOf(isAsked ? rulesWhenAsked(share.rules) : share.rules, isCommit);
}
