import { describeAddress, formatReference } from "../../model/addresses/address.ts";
import { type DesiredResource, parentOf } from "../../manifests/manifest/index.ts";
import { type Action, makeAction } from "./action.ts";
import { type Answer, ifKnown, open } from "./answer.ts";
import { chosenDocuments, withNeeded } from "./documents.ts";
import { isThere, similar } from "./locate.ts";
import { credentialsShownBy } from "./passwords.ts";
import type { Planning } from "./planning.ts";
import { planResource } from "./resource.ts";
import { isChange, isReplacement } from "./action-types.ts";

/** Plans the actions that make live resources match the documents, in the order of the documents. */
export function reconcile(planning: Planning): Action[] {
  const { resources, policy } = planning;
  const actions = new Map<DesiredResource, Action>();
  const needed = withNeeded(chosenDocuments(resources, policy), ({ after }) => after);
  const unplanned = new Set<DesiredResource>();
  for (const desired of resources) {
    if (!needed.has(desired) && !goesWithParent(planning, desired, actions)) continue;
    const action = actionFor(planning, desired, actions, unplanned);
    if (action !== open) actions.set(desired, action);
    else unplanned.add(desired);
  }
  return [...actions.values()];
}

function actionFor(
  planning: Planning,
  desired: DesiredResource,
  earlier: ReadonlyMap<DesiredResource, Action>,
  unplanned: ReadonlySet<DesiredResource>,
): Answer<Action> {
  const { address } = desired;
  const parent = planning.expectations.parentOf(address);
  // The unplanned parent has been reported already.
  if (parent === open || (!parent && desired.after.some((other) => unplanned.has(other)))) return open;
  if (!parent) return rejectMissingParent(planning, desired);
  const draft = planResource(planning, desired, parent);
  if (draft === open) return open;
  const after = desired.after.flatMap((other) => {
    const action = earlier.get(other);
    // The successors of a resource without changes may change.
    return action && isChange(action) ? [action.id] : (action?.after ?? []);
  });
  const itsParent = planning.expectations.referenceTo(parent);
  const brought = [draft.source ?? itsParent, itsParent].flatMap((each) =>
    "madeWith" in each ? [each.madeWith] : [],
  );
  const action = makeAction({
    address,
    parent: itsParent,
    after: [...new Set([...after, ...brought])],
    ...draft,
  });
  return isChange(action) ? { ...action, credentials: credentialsShownBy(planning, action) } : action;
}

/** Whether this plan replaces a parent of the resource, so that it is created again, even without a target. */
function goesWithParent(
  { expectations }: Planning,
  desired: DesiredResource,
  earlier: ReadonlyMap<DesiredResource, Action>,
): boolean {
  const parent = parentOf(desired);
  const itsAction = parent && earlier.get(parent);
  if (!itsAction || !isReplacement(itsAction)) return false;
  const before = ifKnown(expectations.find(parent.address))?.replaced;
  const contents = before && ifKnown(expectations.contentsOf(before, desired.address.kind));
  return contents !== undefined && isThere(desired, contents);
}

function rejectMissingParent({ expectations, findings }: Planning, desired: DesiredResource): typeof open {
  const { kind, names } = desired.address;
  const { parent, parentMember } = kind;
  if (!parent || parentMember === undefined) return open;
  const itsAddress = { kind: parent, names: names.slice(0, -1) };
  const near = similar(expectations, itsAddress);
  if (near === open) return open;
  return findings.refuse(desired, {
    code: "missing_parent",
    path: [parentMember],
    message: `${describeAddress(itsAddress)} does not exist, and no document declares it`,
    help:
      near === undefined
        ? `correct the name, or add a document for the ${parent.name}`
        : `did you mean ${formatReference(near)}?`,
  });
}
