import { addressKey } from "../../core/model/addresses/address.ts";
import type { Report } from "../../core/execution/execute/index.ts";
import { deletes, deploys, isChange, makes, type Plan } from "../../core/planning/plan/index.ts";
import {
  type AppliedDocuments,
  type AppliedResource,
  type Digests,
  type OwnResources,
  ownResource,
  undeployed,
} from "../decide/index.ts";

/** The applied documents after a plan: those of which all changes are done, deployments aside. @param done the ids of the actions that are done */
export function withApplied(
  before: AppliedDocuments,
  documents: Digests,
  { actions }: Plan,
  done: ReadonlySet<string>,
): AppliedDocuments {
  const applied = new Map(Object.entries(before));
  const changes = Map.groupBy(actions.filter(isChange), ({ address }) => addressKey(address));
  for (const [key, its] of changes) {
    const open = its.filter(({ id }) => !done.has(id));
    if (!open.every(deploys) || open.length === its.length) continue;
    const document = documents.get(key);
    if (document) applied.set(key, open.length === 0 ? document.digest : undeployed(document.digest));
    else applied.delete(key);
  }
  return Object.fromEntries(applied);
}

/** The inventory after a plan was carried out, with what it has made and changed and without what it has deleted. */
export function withOutcomes(
  before: OwnResources,
  documents: Digests,
  { actions }: Plan,
  { outcomes }: Report,
): OwnResources {
  const done = new Map(
    outcomes.flatMap((each) => (each.status === "done" ? [[each.id, each] as const] : [])),
  );
  const known = new Map(Object.entries(before));
  const made: [string, AppliedResource][] = [];
  for (const action of actions.filter(isChange)) {
    const outcome = done.get(action.id);
    if (!outcome || deploys(action)) continue;
    if (deletes(action)) for (const id of [action.resourceId ?? "", ...action.contentIds]) known.delete(id);
    const { resourceId } = outcome;
    if (resourceId === undefined || (deletes(action) && !makes(action))) continue;
    made.push([resourceId, ownResource(action, documents)]);
  }
  return withEntries(Object.fromEntries(known), Object.fromEntries(made));
}

/** The inventory with further resources. A copy stays a copy, and an entry is its own until it is removed. */
export function withEntries(
  before: OwnResources,
  applied: Readonly<Record<string, AppliedResource>>,
): OwnResources {
  const known = new Map(Object.entries(before));
  for (const [id, { entries: declared = [], removes = [], ...resource }] of Object.entries(applied)) {
    const { isCopy, entries: earlier = [] } = known.get(id) ?? {};
    const entries = new Set([...earlier.filter((entry) => !removes.includes(entry)), ...declared]);
    known.set(id, {
      ...resource,
      ...(isCopy && { isCopy }),
      ...(entries.size > 0 && { entries: [...entries].toSorted() }),
    });
  }
  return Object.fromEntries(known);
}
