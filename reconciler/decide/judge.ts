import { formatAddress } from "../../core/model/addresses/address.ts";
import { type Action, type Answer, isChange, type Plan } from "../../core/planning/plan/index.ts";
import { once } from "../../core/values/json.ts";
import { type Mode, modeOf, rulesWhenRequested, environmentOf } from "../policy/index.ts";
import type { ApprovedProposal } from "./approvals.ts";
import { isOfCommit } from "./causes.ts";
import { holderOf, type PlanTargets, type EnvironmentView, type View } from "./view.ts";

/** A change of a plan, its environment, and whether the rules permit it now. */
export interface JudgedChange {
  action: Action;
  address: string;
  environment: EnvironmentView | undefined;
  isOfCommit: boolean;
  mode: Mode;
}

export interface VerdictFacts {
  view: View;
  whole: ApprovedProposal;
  judged(plan: Plan): readonly JudgedChange[];
  /** Whether the plan of everything can be carried out unchanged, so that no environment needs a plan of its own. */
  isWhole: boolean;
  /** The plan of a scope; open if that has to be made first. */
  planned(scope: PlanTargets): Answer<ApprovedProposal>;
}

/** Judges the changes of plans by the rules of their environments, each plan once. @param whole the plan of everything */
export function judgeOf(view: View, whole: ApprovedProposal): VerdictFacts["judged"] {
  const modes = new Map<string, Mode>();
  const modeFor = ({ address }: Action, isCommit: boolean): Mode => {
    const { key, names } = environmentOf(address);
    const part = `${isCommit} ${key}`;
    const environment = view.environments.find((each) => each.key === key);
    const mode =
      modes.get(part) ??
      (environment
        ? modeIn(environment, isCommit, isRequestedFor(environment, whole))
        : modeOf(view.rulesOf(names), isCommit));
    modes.set(part, mode);
    return mode;
  };
  return once(({ actions }: Plan) =>
    actions.filter(isChange).map((action) => {
      const isCommit = isOfCommit(action);
      const address = formatAddress(action.address);
      const environment = holderOf(view.environments, action.address);
      return { action, address, environment, isOfCommit: isCommit, mode: modeFor(action, isCommit) };
    }),
  );
}

/** Whether a person has requested changes of an environment; an approval only counts for its own plan. */
export function isRequestedFor(environment: EnvironmentView, { approved }: ApprovedProposal): boolean {
  return environment.requested?.type === "sync" || approved.has(environment);
}

/** The permission for the changes of an environment now, by its rules and the requests of people. */
export function modeIn(environment: EnvironmentView, isCommit: boolean, isRequested: boolean): Mode {
  return modeOf(isRequested ? rulesWhenRequested(environment.rules) : environment.rules, isCommit);
}
