import { addressKey } from "../../core/model/addresses/address.ts";
import { type Action, deploys, isChange } from "../../core/planning/plan/index.ts";
import { own } from "../../core/values/json.ts";
import {
  type AppliedDocuments,
  type Digests,
  everything,
  holderOf,
  type OwnResources,
  inventoryOf,
  undeployed,
  type View,
} from "../decide/index.ts";

/** The documents that the commit applies, wherever it may be applied, before it does. */
export function openedByCommit(view: View, before: AppliedDocuments): AppliedDocuments {
  const its = planned(view).filter(({ cause }) => cause === "commit");
  const keys = ofFields(its);
  return Object.fromEntries(
    its.map(({ address }) => {
      const key = addressKey(address);
      return [key, keys.has(key) ? "" : undeployed(own(before, key) ?? "")];
    }),
  );
}

/**
 * The applied documents after a cycle: those of the commit in force in the environments that are done, as far as the plan was
 * about them, and those from before in all others; and the live resources of those that are done. A document that a kill
 * has left open is applied, deployments aside, where the plan changes no field. What a plan has made is known from its report.
 */
export function appliedNow(
  view: View,
  before: AppliedDocuments,
  now: Digests,
  done: ReadonlySet<string>,
): { documents: AppliedDocuments; inventory: OwnResources } {
  const isDone = (address: Action["address"] | string) => {
    const holder = holderOf(view.environments, address);
    return holder !== undefined && done.has(holder.key);
  };
  const actions = planned(view);
  const changed = ofFields(actions);
  const digestOf = (key: string, digest: string): string => {
    const isLive = known.has(key) && !changed.has(key) && holderOf(view.environments, key)?.isKnown === true;
    return digest === "" && isLive ? undeployed(now.get(key)?.digest ?? "") : digest;
  };
  const known = new Set(actions.map(({ address }) => addressKey(address)));
  const remaining = Object.entries(before).filter(
    ([key]) => !isDone(key) || (now.has(key) && !known.has(key)),
  );
  const applied = [...now].filter(([key]) => known.has(key) && isDone(key));
  return {
    documents: Object.fromEntries([
      ...remaining.map(([key, digest]) => [key, digestOf(key, digest)] as const),
      ...applied.map(([key, { digest }]) => [key, digest] as const),
    ]),
    inventory: inventoryOf(
      actions.filter(({ address }) => isDone(address)),
      now,
    ),
  };
}

/** The keys of the resources that actions change, deployments aside. */
function ofFields(actions: readonly Action[]): ReadonlySet<string> {
  const changes = actions.filter((action) => isChange(action) && !deploys(action));
  return new Set(changes.map(({ address }) => addressKey(address)));
}

function planned({ plans }: View): readonly Action[] {
  return plans.get(everything.key)?.plan.actions ?? [];
}
