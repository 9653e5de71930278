import { formatAddress } from "../../core/model/addresses/address.ts";
import { type Action, type Answer, isChange, type Plan } from "../../core/planning/plan/index.ts";
import { once } from "../../core/values/json.ts";
import { type Mode, modeOf, rulesWhenRequested, shareOf } from "../policy/index.ts";
import type { ApprovedProposal } from "./approvals.ts";
import { isOfCommit } from "./causes.ts";
import { holderOf, type PlanTargets, type ShareView, type View } from "./view.ts";

/** A change of a plan, its share, and whether the rules permit it now. */
export interface JudgedChange {
  action: Action;
  address: string;
  share: ShareView | undefined;
  isOfCommit: boolean;
  mode: Mode;
}

export interface VerdictFacts {
  view: View;
  whole: ApprovedProposal;
  judged(plan: Plan): readonly JudgedChange[];
  /** Whether the plan of everything can be carried out unchanged, so that no share needs a plan of its own. */
  isWhole: boolean;
  /** The plan of a scope; open if that has to be made first. */
  planned(scope: PlanTargets): Answer<ApprovedProposal>;
}

/** Judges the changes of plans by the rules of their shares, each plan once. @param whole the plan of everything */
export function judgeOf(view: View, whole: ApprovedProposal): VerdictFacts["judged"] {
  const modes = new Map<string, Mode>();
  const modeFor = ({ address }: Action, isCommit: boolean): Mode => {
    const { key, names } = shareOf(address);
    const part = `${isCommit} ${key}`;
    const share = view.shares.find((each) => each.key === key);
    const mode =
      modes.get(part) ??
      (share ? modeIn(share, isCommit, isRequestedFor(share, whole)) : modeOf(view.rulesOf(names), isCommit));
    modes.set(part, mode);
    return mode;
  };
  return once(({ actions }: Plan) =>
    actions.filter(isChange).map((action) => {
      const isCommit = isOfCommit(action);
      const address = formatAddress(action.address);
      const share = holderOf(view.shares, action.address);
      return { action, address, share, isOfCommit: isCommit, mode: modeFor(action, isCommit) };
    }),
  );
}

/** Whether a person has requested changes of a share; an approval only counts for its own plan. */
export function isRequestedFor(share: ShareView, { approved }: ApprovedProposal): boolean {
  return share.requested?.type === "sync" || approved.has(share);
}

/** The permission for the changes of a share now, by its rules and the requests of people. */
export function modeIn(share: ShareView, isCommit: boolean, isRequested: boolean): Mode {
  return modeOf(isRequested ? rulesWhenRequested(share.rules) : share.rules, isCommit);
}
