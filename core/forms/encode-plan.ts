import { type AnyAddress, formatAddress, nameOf } from "../address.ts";
import type { FieldChange } from "../fields/compare.ts";
import {
  type Action,
  type CarriedParts,
  costOf,
  costOfAction,
  countActions,
  countLosses,
  hasChanges,
  type Loss,
  type PendingClone,
  type Note,
  type ParentReference,
  type SourceReference,
  type Plan,
  wordsFor,
} from "../plan/index.ts";
import { planFormat, planVersion } from "../plan-format.ts";
import type { NoOthers } from "./forms.ts";
import { actionMembers, type Presence } from "./action-members.ts";
import type { ActionForm, AnyActionForm, LossForm, NoteForm, PlanForm } from "./plan-form.ts";
import { encodeProblem, encodeRemedy } from "./problem.ts";

/** A plan in its JSON form. */
export function encodePlan(plan: Plan): PlanForm {
  const { goal, organization, actions, problems, notes, at: _at, spent: _spent, ...rest } = plan;
  const { secretValues: _, positionOf: _positionOf, ...others } = rest;
  return {
    format: planFormat,
    version: planVersion,
    goal,
    organization: encodeOrganization(organization),
    has_changes: hasChanges(plan),
    applicable: problems.length === 0,
    counts: { ...countActions(actions), lost: countLosses(actions) },
    actions: actions.map(encodeAction),
    problems: problems.map(encodeProblem),
    notes: notes.map(encodeNote),
    cost: costOf(plan),
    ...(others satisfies NoOthers),
  };
}

function encodeOrganization({ id, name, ...others }: Plan["organization"]) {
  return { id, ...(name !== undefined && { name }), ...(others satisfies NoOthers) };
}

/** A note in its JSON form. */
export function encodeNote({ code, message, remedies, address, resources, ...others }: Note): NoteForm {
  return {
    code,
    message,
    ...(remedies && { remedies: remedies.map(encodeRemedy) }),
    ...(address && { address: formatAddress(address) }),
    ...(resources && { resources: resources.map(formatAddress) }),
    ...(others satisfies NoOthers),
  };
}

/** An action in its JSON form: the members that the form of its type requires, and those others that are not empty. */
export function encodeAction(action: Action): ActionForm {
  const members = encodeMembers(action);
  const presences: Record<string, Presence> = actionMembers[action.type];
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

/** Every member of an action in its JSON form, in the order in which they are written. */
function encodeMembers(action: Action): AnyActionForm {
  const { type, id, address, parent, after, carriedOutBy, afterOthers, pendingClone, source, ...more } =
    action;
  const { resourceId, subject, reason, stated, changes, brings, carries, expected, reasons, ...last } = more;
  const { liveAddress, losses, contentIds, reaches, fingerprint, ...others } = last;
  return {
    type,
    id,
    address: formatAddress(address),
    kind: address.kind.name,
    name: nameOf(address),
    parent: encodeParent(parent),
    after,
    along_with: carriedOutBy,
    cost: costOfAction(action),
    after_others: afterOthers,
    may_come_with: pendingClone && encodeComing(pendingClone),
    source: source && { address: formatAddress(source.address), ...encodeParent(source) },
    resource_id: resourceId,
    subject: subject && encodeReference(subject),
    reason,
    stated,
    changes: changes.map(encodeChange),
    brings: brings.map(encodeBrought),
    carries: carries.map(encodeCarried),
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

function encodeComing({ address, since, last, ...others }: PendingClone) {
  return {
    address: formatAddress(address),
    since,
    ...(last !== undefined && { last }),
    ...(others satisfies NoOthers),
  };
}

function encodeChange({ path, before, after, replaces, unkept, ...others }: FieldChange) {
  return {
    path,
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
    ...(replaces !== undefined && { replaces }),
    ...(unkept !== undefined && { unkept }),
    ...(others satisfies NoOthers),
  };
}

function encodeCarried({ sort, keys, isReadable, ...others }: CarriedParts) {
  return { what: sort, keys, is_readable: isReadable, ...(others satisfies NoOthers) };
}

function encodeBrought({ kind, name, ...others }: Action["brings"][number]) {
  return { kind, name, ...(others satisfies NoOthers) };
}

/** A loss in its JSON form. */
export function encodeLoss(loss: Loss): LossForm {
  const {
    sort,
    what,
    name,
    extent,
    content,
    address,
    liveAddress,
    id,
    owner,
    path,
    described,
    restorable,
    ...others
  } = loss;
  return {
    sort,
    what,
    name,
    ...(extent !== undefined && { extent }),
    ...(content !== undefined && { content }),
    words: wordsFor(loss),
    ...(address && { address: formatAddress(address) }),
    ...encodeLiveAddress(liveAddress),
    ...(id !== undefined && { id }),
    ...(owner && { owner: encodeOwner(owner) }),
    ...(path && { path }),
    described,
    restorable,
    ...(others satisfies NoOthers),
  };
}

function encodeOwner({ id, address, liveAddress, ...others }: NonNullable<Loss["owner"]>) {
  return {
    id,
    address: formatAddress(address),
    ...encodeLiveAddress(liveAddress),
    ...(others satisfies NoOthers),
  };
}

function encodeLiveAddress(address: AnyAddress | undefined) {
  return address ? { live_address: formatAddress(address) } : {};
}
