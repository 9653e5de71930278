import { type AnyAddress, formatAddress } from "../../core/address.ts";
import { isComplete, isCompleteSoFar, type Outcome } from "../../core/execute/index.ts";
import type { Desired } from "../../core/manifest/index.ts";
import type { Organization } from "../../core/organization.ts";
import { type Action, hasChanges, isChange, type Policy } from "../../core/plan/index.ts";
import { isTarget } from "../../core/plan/documents.ts";
import type { Problem } from "../../core/problem.ts";
import { type Ending, propose, type Proposal, type Run } from "../../core/session/index.ts";
import { type Attribution, type Change, changesOf, deletes } from "./changes.ts";
import {
  environmentNames,
  environmentOf,
  type Share,
  shareKey,
  sharesOf,
  without,
} from "../policy/shares.ts";
import type { Fight } from "./fights.ts";
import { goingOn } from "../carry-out/left-work.ts";
import { modeOf, reasonToWait, type Rules } from "../policy/index.ts";

/** An environment in which the policy does not let the commit be applied. */
export interface Waiting {
  /** `shop/production`, or a project. */
  environment: string;
  reason: string;
  changes: Change[];
}

/** What has become of a commit that is applied by environment. */
export interface Shared {
  /** The keys of the shares that are in step with the commit. */
  done: Set<string>;
  /** Why others are not. */
  problems: Problem[];
  outcomes: Outcome[];
  /** What differs from the commit in shares that were in step with it before, and was not undone. */
  drift: Change[];
  waiting: Waiting[];
  fights: Fight[];
  /** Why the rest was not tried. */
  stopped?: Exclude<Ending["type"], "applied" | "unchanged" | "refused"> | "incomplete";
}

/** What `enactShares` works with. */
export interface Sharing {
  run: Run;
  organization: Organization;
  resources: readonly Desired[];
  policy: Policy;
  /** The rules for an environment or a project, by its names. */
  rulesOf(names: readonly string[]): Rules;
  /** The shares that are in step with the commit already; what differs in them is drift. */
  done: ReadonlySet<string>;
  authorOf: Attribution;
  /** The pause that an action on drift has to wait for. */
  fightOver(action: Action): Fight | undefined;
  /** Adds what the limits of deletions forbid now. */
  limited(proposal: Proposal): Proposal;
  enact(proposal: Proposal): Promise<Ending>;
  /** Drift was undone. */
  onUndone(actions: readonly Action[]): Promise<void>;
}

/**
 * Applies a commit and undoes drift by environment, as far as the rules of each permit, so that what blocks one
 * environment leaves the others in step. A cap that these plans together exceed forbids every deletion.
 */
export async function enactShares(sharing: Sharing): Promise<Shared> {
  const { resources, rulesOf, done } = sharing;
  const shared: Shared = {
    done: new Set(done),
    problems: [],
    outcomes: [],
    drift: [],
    waiting: [],
    fights: [],
  };
  const shares = sharesOf(resources.filter(({ address }) => isTarget(sharing.policy, address)));
  const isPermitted = ({ key, names }: Share) => modeOf(rulesOf(names), !done.has(key)) === "apply";
  const permitted = shares.filter(isPermitted);
  const whole = permitted.length === 0 ? undefined : await proposeOnly(permitted, sharing);
  const exceeded = (whole?.missingConsents ?? []).filter(({ code }) => code === "too_many");
  for (const share of shares) {
    const ending = await enactShare(share, exceeded, shared, sharing);
    if (ending === undefined) continue;
    if (ending.type === "refused") shared.problems.push(...ending.problems);
    else if (ending.type === "applied") {
      shared.outcomes.push(...ending.report.outcomes.filter(isChange));
      if (isComplete(ending.report)) shared.done.add(share.key);
      else if (isCompleteSoFar(ending.report)) shared.waiting.push(...goingOn(ending.report));
      else shared.stopped ??= "incomplete";
      if (ending.report.stopped) break;
    } else if (ending.type !== "unchanged") {
      shared.stopped = ending.type;
      break;
    }
  }
  shared.problems = [
    ...new Map(shared.problems.map((each) => [`${each.address} ${each.message}`, each])).values(),
  ];
  return shared;
}

/** Undefined: nothing was tried. */
async function enactShare(
  share: Share,
  exceeded: readonly Problem[],
  shared: Shared,
  sharing: Sharing,
): Promise<Ending | undefined> {
  const { rulesOf, authorOf, fightOver, enact, done } = sharing;
  const { key, names } = share;
  const isCommit = !done.has(key);
  const rules = rulesOf(names);
  const mode = modeOf(rules, isCommit);
  if (mode === "off") return undefined;
  let proposal = await proposeOnly([share], sharing);
  const report = (reason: string) => {
    if (isCommit)
      shared.waiting.push({
        environment: share.name,
        reason,
        changes: changesOf(proposal.plan, "commit"),
      });
    else shared.drift.push(...changesOf(proposal.plan, "drift", authorOf));
    return undefined;
  };
  if (!proposal.refusal && !hasChanges(proposal.plan)) {
    shared.done.add(key);
    return undefined;
  }
  if (mode === "report") {
    // What cannot be planned has no differences to report.
    if (!isCommit && proposal.refusal) shared.problems.push(...proposal.refusal.problems);
    return report(reasonToWait(rules));
  }
  const other = forbiddenNeed(share, proposal, isCommit, rulesOf);
  if (other !== undefined) return report(`it needs ${other}, which is not applied`);
  if (!isCommit) {
    const { actions } = proposal.plan;
    const fights = actions.flatMap((action) => (!isChange(action) ? [] : (fightOver(action) ?? [])));
    const unconsented = proposal.refusal ? [] : consentsOf(proposal);
    const left = new Set([...fights, ...unconsented].map(({ address = "" }) => address));
    if (left.size > 0) {
      shared.drift.push(
        ...changesOf({ actions }, "drift", authorOf).filter((each) => left.has(each.address)),
      );
      shared.fights.push(...fights);
      shared.problems.push(...unconsented);
      const rest = without(share, left, sharing.resources);
      if (!rest) return undefined;
      proposal = await proposeOnly([rest], sharing);
    }
  }
  const { plan, refusal, missingConsents } = proposal;
  const problems = [...(refusal?.problems ?? missingConsents), ...(deletes(plan) ? exceeded : [])];
  if (problems.length > 0) {
    shared.problems.push(...problems);
    if (!isCommit) report("");
    return undefined;
  }
  if (!hasChanges(plan)) return undefined;
  const ending = await enact(proposal);
  if (!isCommit && ending.type === "applied") {
    const doneIds = new Set(
      ending.report.outcomes.filter(({ status }) => status === "done").map(({ id }) => id),
    );
    await sharing.onUndone(plan.actions.filter((action) => isChange(action) && doneIds.has(action.id)));
  }
  return ending;
}

/**
 * The consents that single actions lack: what restores the past needs what any loss needs. Such an action waits for its
 * consent, and the rest of the drift is undone.
 */
function consentsOf({ plan, missingConsents }: Proposal): Problem[] {
  const addresses = new Set(plan.actions.map(({ address }) => formatAddress(address)));
  return missingConsents.filter(
    ({ code, address }) => code !== "too_many" && address !== undefined && addresses.has(address),
  );
}

async function proposeOnly(
  shares: readonly Pick<Share, "target">[],
  { run, organization, resources, policy, limited }: Sharing,
): Promise<Proposal> {
  const scope = (address: AnyAddress) => shares.some(({ target }) => target.matches(address));
  return limited(await propose(run, organization, "reconcile", resources, { ...policy, scope }));
}

/** Another environment that the plan of a share changes although its rules forbid that. */
function forbiddenNeed(
  { key }: Share,
  { plan }: Proposal,
  isCommit: boolean,
  rulesOf: Sharing["rulesOf"],
): string | undefined {
  for (const { address } of plan.actions.filter(isChange)) {
    if (shareKey(address) === key) continue;
    if (modeOf(rulesOf(environmentNames(address)), isCommit) !== "apply") return environmentOf(address);
  }
  return undefined;
}
