import { digestOfActions } from "../../core/outputs/forms/digest.ts";
import { type Action, isChange, type Plan } from "../../core/planning/plan/index.ts";
import { type Mode, modeOf, rulesWhenAsked } from "../policy/index.ts";
import { holderOf, type PersonRequest, type ShareView } from "./view.ts";

/** What people have asked for, in words: `sync asked for by anna`. */
export const requestWords: Readonly<Record<PersonRequest["type"], string>> = {
  sync: "sync asked for",
  approve: "approved",
};

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

/**
 * Whether a person has asked for changes of a share: for just these, where an approval names them.
 *
 * @param actions all changes of the share
 */
export function isAskedFor(
  { asked }: Pick<ShareView, "asked">,
  plan: Plan,
  actions: readonly Action[],
): boolean {
  switch (asked?.type) {
    case undefined:
      return false;
    case "sync":
      return true;
    case "approve":
      return asked.plan === digestIn(plan, actions);
    default:
      return asked satisfies never;
  }
}

/** The permission for the changes of a share now, by its rules and the actions of people. */
export function modeIn(share: ShareView, isCommit: boolean, isAsked: boolean): Mode {
  return modeOf(isAsked ? rulesWhenAsked(share.rules) : share.rules, isCommit);
}
