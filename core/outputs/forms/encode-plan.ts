import { type AnyAddress, formatAddress, nameOf } from "../../model/addresses/address.ts";
import type { FieldChange } from "../../model/fields/compare.ts";
import {
  type Action,
  costOf,
  costOfAction,
  countActions,
  countLosses,
  hasChanges,
  type Loss,
  type Note,
  type ParentReference,
  type SourceReference,
  type Plan,
  type Unread,
  shownAction,
  updates,
  wordsFor,
  type ActionType,
} from "../../planning/plan/index.ts";
import { planFormat, planVersion } from "../../model/plan-format.ts";
import type { NoOthers } from "./forms.ts";
import { inForm } from "./members.ts";
import type { ActionForm, AnyActionForm, lossForm, actionForms } from "./action-form.ts";
import type { noteForm, PlanForm, unreadForm } from "./plan-form.ts";
import { encodeProblem } from "./problem.ts";
import type { Static } from "typebox";

const ofDeletion = ["live_address", "losses", "content_ids", "fingerprint"] as const;
const ofAll = ["type", "id", "address", "kind", "name", "parent", "after", "along_with", "cost"] as const;

/** The members of the JSON form of each type of action, in the written order: schemas take long to make, so a test compares these with `actionForms`. */
export const actionMembers: { [Type in ActionType]: readonly (keyof Static<(typeof actionForms)[Type]>)[] } =
  {
    create: [...ofAll, "may_come_with", "expected"],
    clone: [...ofAll, "may_come_with", "source", "declared", "changes", "brings", "carries", "expected"],
    update: [...ofAll, "resource_id", "declared", "changes", "expected", "losses", "reaches", "fingerprint"],
    replace: [...ofAll, "resource_id", "changes", "expected", "reasons", ...ofDeletion],
    delete: [...ofAll, "after_others", "resource_id", "reason", ...ofDeletion],
    none: [...ofAll, "resource_id"],
    deploy: [...ofAll, "subject", "reason"],
  };

export function encodeUnread(unread: readonly Unread[]): Static<typeof unreadForm>[] {
  return unread.map(({ address, sort }) => ({ address: formatAddress(address), sort }));
}

/** A plan in its JSON form, as shown. */
export function encodePlan(plan: Plan): PlanForm {
  const { goal, organization, actions, problems, notes, at: _at, spent: _spent, ...rest } = plan;
  const { secretValues: _, positionOf: _positionOf, waveOf: _waveOf, whole: _whole, ...known } = rest;
  const {
    consents: _consents,
    unmanaged: _unmanaged,
    isForThisRun: _isForThisRun,
    isStrict: _isStrict,
    longLists,
    unread = [],
    cached,
    ...others
  } = known;
  return {
    format: planFormat,
    version: planVersion,
    goal,
    organization: inForm(organization),
    has_changes: hasChanges(plan),
    applicable: problems.length === 0,
    counts: { ...countActions(actions), lost: countLosses(actions) },
    actions: actions.map((action) => encodeAction(shownAction(action), longLists)),
    problems: problems.map(encodeProblem),
    notes: notes.map(encodeNote),
    cost: costOf(plan),
    ...(unread.length > 0 && { unread: encodeUnread(unread) }),
    ...(cached && { cached: inForm({ ...cached, oldest: new Date(cached.oldest).toISOString() }) }),
    ...(others satisfies NoOthers),
  };
}

export function encodeNote({
  remedies: _remedies,
  said: _said,
  unknown: _unknown,
  address,
  resources,
  isLifted: _isLifted,
  isShared: _isShared,
  ...note
}: Note): Static<typeof noteForm> {
  return inForm({
    ...note,
    address: address && formatAddress(address),
    resources: resources?.map(formatAddress),
  });
}

/** An action in its JSON form, with all values: the members of its type. */
export function encodeAction(action: Action, longLists?: Plan["longLists"]): ActionForm {
  const { type, address, parent, carriedOutBy, pendingClone, source, subject } = action;
  const { changes, carries, liveAddress, losses, reaches } = action;
  const members: AnyActionForm = inForm({
    ...action,
    address: formatAddress(address),
    kind: address.kind.name,
    name: nameOf(address),
    parent: encodeParent(parent),
    alongWith: carriedOutBy,
    cost: costOfAction(action, longLists),
    mayComeWith: pendingClone && inForm({ ...pendingClone, address: formatAddress(pendingClone.address) }),
    source: source && { address: formatAddress(source.address), ...encodeParent(source) },
    subject: subject && encodeReference(subject),
    changes: changes.map((change: FieldChange) => inForm(change)),
    carries: carries.map(({ sort, ...parts }) => ({ what: sort, ...inForm(parts) })),
    liveAddress: liveAddress && formatAddress(liveAddress),
    losses: updates(action) && losses.length === 0 ? undefined : losses.map(encodeLoss),
    reaches: reaches.length === 0 ? undefined : reaches.map(formatAddress),
  });
  return Object.fromEntries(
    actionMembers[type].flatMap((member) =>
      members[member] === undefined ? [] : [[member, members[member]]],
    ),
  ) as ActionForm;
}

function encodeReference(parent: ParentReference) {
  return "id" in parent ? { id: parent.id } : { made_by: parent.madeBy };
}

function encodeParent(parent: SourceReference) {
  return "madeWith" in parent ? { brought_by: parent.madeWith } : encodeReference(parent);
}

export function encodeLoss(loss: Loss): Static<typeof lossForm> {
  const { owner } = loss;
  return inForm({
    ...withAddressTexts(loss),
    words: wordsFor(loss),
    owner: owner && inForm(withAddressTexts(owner)),
  });
}

function withAddressTexts<
  Value extends { address?: AnyAddress | undefined; liveAddress?: AnyAddress | undefined },
>({ address, liveAddress, ...others }: Value) {
  return {
    ...others,
    address: address && formatAddress(address),
    liveAddress: liveAddress && formatAddress(liveAddress),
  };
}
