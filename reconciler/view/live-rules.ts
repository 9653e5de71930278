import { formatReference } from "../../core/model/addresses/address.ts";
import type { DesiredResource } from "../../core/manifests/manifest/index.ts";
import { nameKey } from "../../core/model/addresses/names.ts";
import type { Organization } from "../../core/state/organization.ts";
import { type Policy, type ResourceIdentity, takeInventory } from "../../core/planning/plan/index.ts";
import { propose, type Run } from "../../core/execution/session/index.ts";
import {
  type CommitPolicy,
  type OperatorRules,
  type Rules,
  rulesFor,
  environmentKeyOf,
  strictestRules,
  withoutPruning,
} from "../policy/index.ts";
import type { CommitBefore } from "./commit-rules.ts";
import { digestsOf } from "./digests.ts";

/** The sources of rules. */
export interface RuleSources {
  run: Run;
  organization: Organization;
  resources: readonly DesiredResource[];
  policy: Policy;
  commitPolicy: CommitPolicy;
  /** The rules of earlier commits, the newest first. */
  before: readonly Pick<CommitBefore, "commitPolicy" | "documents">[];
  operator: OperatorRules;
  now: number;
}

/**
 * The rules for the environments and projects of a commit, under all of their names: live, declared, and mixtures of
 * both. The strictest apply, so that a rename lifts no rule. If the commit changes documents, the rules of the commit
 * before apply to them too, so that it cannot lift rules for its own changes. Renames need the reads of a plan, which
 * then needs no request for them.
 */
export async function liveRules(sources: RuleSources): Promise<(names: readonly string[]) => Rules> {
  const {
    run,
    organization,
    resources,
    policy,
    commitPolicy,
    operator,
    now,
    before: [before],
  } = sources;
  const isRenamed = resources.some(
    ({ address, manage }) =>
      address.names.length <= 2 && (manage.renamed_from !== undefined || manage.id !== undefined),
  );
  const all = new Map<string, (readonly string[])[]>();
  const rules = [
    ...commitPolicy.environments,
    ...(before?.commitPolicy.environments ?? []),
    ...(operator.pauses ?? []),
  ];
  if (isRenamed && rules.length > 0) {
    const cautious = withoutPruning(resources, (names) => ({
      ...rulesFor(names, commitPolicy, operator, now),
      prune: false,
    }));
    await propose(run, organization, "reconcile", cautious, policy);
    const { roots } = takeInventory({ organization, now, ...run.live.known() }, resources);
    for (const identity of roots.flatMap((root) => [root, ...root.contents])) enter(all, identity);
  }
  const known = new Map<string, Rules>();
  const isChanged = (names: readonly string[], earlier: readonly string[]) =>
    before !== undefined &&
    digestsOf(resources).get(environmentKeyOf(names)) !==
      digestsOf(before.documents).get(environmentKeyOf(earlier));
  return (names) => {
    const key = keyOf(names);
    const found =
      known.get(key) ??
      [names, ...(all.get(key) ?? [])]
        .flatMap((each) => [
          rulesFor(each, commitPolicy, operator, now),
          // The planner checks `prune` of the documents.
          ...(before && isChanged(names, each)
            ? [{ ...rulesFor(each, before.commitPolicy, operator, now), prune: true }]
            : []),
        ])
        .reduce(strictestRules);
    known.set(key, found);
    return found;
  };
}

/** Enters all names of a resource under each of them. */
function enter(all: Map<string, (readonly string[])[]>, { names }: ResourceIdentity): void {
  for (const each of names) all.set(keyOf(each), [...(all.get(keyOf(each)) ?? []), ...names]);
}

function keyOf(names: readonly string[]): string {
  return formatReference(names.map(nameKey));
}
