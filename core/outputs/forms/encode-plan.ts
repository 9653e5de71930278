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

type MembersOf<Form> = {
  [Member in keyof Form]-?: object extends Pick<Form, Member> ? "unless empty" : "always";
};

const ofAll = {
  type: "always",
  id: "always",
  address: "always",
  kind: "always",
  name: "always",
  parent: "always",
  after: "always",
  along_with: "unless empty",
  cost: "always",
} as const;

/** The members of the JSON form of each type of action. Schemas take long to make, so the compiler compares with `actionForms`. */
const actionMembers: { [Type in ActionType]: MembersOf<Static<(typeof actionForms)[Type]>> } = {
  create: { ...ofAll, may_come_with: "unless empty", expected: "always" },
  clone: {
    ...ofAll,
    may_come_with: "unless empty",
    source: "always",
    declared: "always",
    changes: "always",
    brings: "always",
    carries: "always",
    expected: "always",
  },
  update: {
    ...ofAll,
    resource_id: "unless empty",
    declared: "always",
    changes: "always",
    expected: "always",
    losses: "unless empty",
    reaches: "unless empty",
    fingerprint: "unless empty",
  },
  replace: {
    ...ofAll,
    resource_id: "always",
    live_address: "unless empty",
    expected: "always",
    changes: "always",
    reasons: "always",
    losses: "always",
    content_ids: "always",
    fingerprint: "always",
  },
  delete: {
    ...ofAll,
    after_others: "always",
    resource_id: "always",
    live_address: "unless empty",
    reason: "always",
    losses: "always",
    content_ids: "always",
    fingerprint: "always",
  },
  none: { ...ofAll, resource_id: "unless empty" },
  deploy: { ...ofAll, subject: "always", reason: "always" },
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

/** An action in its JSON form, with all values: the required members of its type, and other nonempty ones. */
export function encodeAction(action: Action, longLists?: Plan["longLists"]): ActionForm {
  const members = encodeMembers(action, longLists);
  const presences: Record<string, "always" | "unless empty"> = actionMembers[action.type];
  return Object.fromEntries(
    Object.entries(members).filter(([member, value]) => {
      const presence = presences[member];
      return presence === "always" || (presence !== undefined && value !== undefined && !isEmpty(value));
    }),
  ) as ActionForm;
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** Every member of an action in its JSON form, in the written order. */
function encodeMembers(action: Action, longLists: Plan["longLists"]): AnyActionForm {
  const { type, id, address, parent, after, carriedOutBy, afterOthers, pendingClone, source, ...more } =
    action;
  const { resourceId, subject, reason, declared, changes, brings, carries, expected, reasons, ...last } =
    more;
  // Causes concern only a service that plans again and again; hidden values are in no JSON.
  const {
    liveAddress,
    losses,
    contentIds,
    reaches,
    fingerprint,
    cause: _cause,
    credentials: _hidden,
    ...others
  } = last;
  return {
    type,
    id,
    address: formatAddress(address),
    kind: address.kind.name,
    name: nameOf(address),
    parent: encodeParent(parent),
    after,
    along_with: carriedOutBy,
    cost: costOfAction(action, longLists),
    after_others: afterOthers,
    may_come_with: pendingClone && inForm({ ...pendingClone, address: formatAddress(pendingClone.address) }),
    source: source && { address: formatAddress(source.address), ...encodeParent(source) },
    resource_id: resourceId,
    subject: subject && encodeReference(subject),
    reason,
    declared,
    changes: changes.map((change: FieldChange) => inForm(change)),
    brings,
    carries: carries.map(({ sort, ...parts }) => ({ what: sort, ...inForm(parts) })),
    expected,
    reasons,
    live_address: liveAddress && formatAddress(liveAddress),
    losses: losses.map(encodeLoss),
    content_ids: contentIds,
    reaches: reaches.map(formatAddress),
    fingerprint,
    ...(others satisfies NoOthers),
  };
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
