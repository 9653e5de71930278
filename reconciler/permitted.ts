import { type AnyAddress, formatAddress } from "../core/address.ts";
import type { Desired } from "../core/manifest/desired.ts";
import type { Pattern } from "../core/pattern.ts";
import { propose, type Proposal } from "../core/session/index.ts";
import { environmentNames, environmentOf } from "./environments.ts";
import { liveRules, modeOf, reasonToWait, type RuleSources, withoutPruning } from "./policy/index.ts";

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
    const rules = rulesOf(environmentNames(address));
    if (modeOf(rules, true) !== "apply") waiting.set(environmentOf(address), reasonToWait(rules));
  }
  const documents = withoutPruning(resources, rulesOf);
  for (;;) {
    const left = new Set(waiting.keys());
    const isLeft = (address: AnyAddress) => left.has(environmentOf(address));
    const lines = [...waiting].map(([environment, reason]) => `${environment} (${reason})`);
    const targets = left.size === 0 ? policy.targets : targetsWithout(policy.targets, isLeft, documents);
    if (left.size > 0 && targets.length === 0) return { proposal: undefined, waiting: lines };
    const proposal = await propose(run, organization, "reconcile", documents, { ...policy, targets });
    if (proposal.refusal) return { proposal, waiting: lines };
    const changes = proposal.plan.actions.filter(({ type }) => type !== "none");
    const needed = changes.find(({ address }) => isLeft(address));
    if (!needed) return { proposal, waiting: lines };
    // What needs an environment that is left out has to wait as well.
    const needing = changes.filter(({ after, address }) => !isLeft(address) && after.includes(needed.id));
    for (const { address } of needing)
      waiting.set(environmentOf(address), `it needs ${formatAddress(needed.address)}, which is not applied`);
    if (needing.length === 0) throw new Error(`internal error: nothing needs ${needed.id}`);
  }
}

/** The targets without what is left out, as far as they still choose a document. */
function targetsWithout(
  targets: readonly Pattern[],
  isLeft: (address: AnyAddress) => boolean,
  documents: readonly Desired[],
): Pattern[] {
  const given = targets.length > 0 ? targets : [everything];
  const isIdle = ({ matches }: Pattern) => !documents.some(({ address }) => matches(address));
  return given
    .filter(
      (target) =>
        isIdle(target) || documents.some(({ address }) => target.matches(address) && !isLeft(address)),
    )
    .map((target) => ({ ...target, matches: (address) => !isLeft(address) && target.matches(address) }));
}

const everything: Pattern = { text: "**", matches: () => true, looksInside: () => true };
