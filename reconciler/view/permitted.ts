import { type AnyAddress, formatAddress } from "../../core/address.ts";
import { isTarget, isChange } from "../../core/plan/index.ts";
import { propose, type Proposal } from "../../core/session/index.ts";
import { modeOf, reasonToWait, shareOf, withoutPruning } from "../policy/index.ts";
import { liveRules, type RuleSources } from "./live-rules.ts";

/** A plan of what the rules permit of a commit, and why the rest is left out. */
export interface Permitted {
  /** Undefined: the rules permit nothing. */
  proposal: Proposal | undefined;
  /** `shop/production (on_commit: report)`. */
  waiting: string[];
}

/** Plans a commit as one whole, without the environments in which the rules do not let commits be applied. */
export async function proposePermitted(commit: RuleSources): Promise<Permitted> {
  const { run, organization, resources, policy } = commit;
  const rulesOf = await liveRules(commit);
  const waiting = new Map<string, string>();
  for (const { address } of resources) {
    const rules = rulesOf(shareOf(address).names);
    if (modeOf(rules, true) !== "apply") waiting.set(shareOf(address).name, reasonToWait(rules));
  }
  const documents = withoutPruning(resources, rulesOf);
  for (;;) {
    const left = new Set(waiting.keys());
    const isLeft = (address: AnyAddress) => left.has(shareOf(address).name);
    const lines = [...waiting].map(([environment, reason]) => `${environment} (${reason})`);
    const permitted = { ...policy, scope: (address: AnyAddress) => !isLeft(address) };
    if (!documents.some(({ address }) => isTarget(permitted, address)) && left.size > 0)
      return { proposal: undefined, waiting: lines };
    const proposal = await propose(run, organization, "reconcile", documents, permitted);
    if (proposal.refusal) return { proposal, waiting: lines };
    const changes = proposal.plan.actions.filter(isChange);
    const needed = changes.find(({ address }) => isLeft(address));
    if (!needed) return { proposal, waiting: lines };
    // What needs an environment that is left out has to wait as well.
    const needing = changes.filter(({ after, address }) => !isLeft(address) && after.includes(needed.id));
    for (const { address } of needing)
      waiting.set(shareOf(address).name, `it needs ${formatAddress(needed.address)}, which is not applied`);
    if (needing.length === 0) throw new Error(`internal error: nothing needs ${needed.id}`);
  }
}
