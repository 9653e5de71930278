import { addressKey } from "../../core/model/addresses/address.ts";
import type { Action } from "../../core/planning/plan/index.ts";
import {
  type AppliedDocuments,
  type DocumentMarks,
  everything,
  holderOf,
  type OwnResources,
  inventoryOf,
  type View,
} from "../decide/index.ts";

/** The keys of the resources that the commit changes, wherever it may be applied. */
export function changedByCommit(view: View): string[] {
  return planned(view)
    .filter(({ cause }) => cause === "commit")
    .map(({ address }) => addressKey(address));
}

/**
 * What is applied after a cycle: the documents of the commit in force in the shares that are done, as far as the plan was
 * about them, and those from before in all others; and the live resources of those that are done. What a plan has made is
 * known from its report.
 */
export function appliedNow(
  view: View,
  before: AppliedDocuments,
  now: DocumentMarks,
  done: ReadonlySet<string>,
): { documents: AppliedDocuments; inventory: OwnResources } {
  const isDone = (address: Action["address"] | string) => {
    const holder = holderOf(view.shares, address);
    return holder !== undefined && done.has(holder.key);
  };
  const actions = planned(view);
  const known = new Set(actions.map(({ address }) => addressKey(address)));
  const kept = Object.entries(before).filter(([key]) => !isDone(key) || (now.has(key) && !known.has(key)));
  const applied = [...now].filter(([key]) => known.has(key) && isDone(key));
  return {
    documents: Object.fromEntries([...kept, ...applied.map(([key, { digest }]) => [key, digest] as const)]),
    inventory: inventoryOf(
      actions.filter(({ address }) => isDone(address)),
      now,
    ),
  };
}

function planned({ plans }: View): readonly Action[] {
  return plans.get(everything.key)?.plan.actions ?? [];
}
