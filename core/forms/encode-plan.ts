import { type AnyAddress, formatAddress, nameOf } from "../address.ts";
import type { FieldChange } from "../fields/compare.ts";
import {
  type Action,
  type CarriedParts,
  type CloneAction,
  costOf,
  costOfAction,
  countActions,
  countLosses,
  hasChanges,
  type Loss,
  type MayComeWith,
  type Note,
  type ParentReference,
  type SourceReference,
  type Plan,
  unreachable,
  wordsFor,
} from "../plan/index.ts";
import { planFormat, planVersion } from "../plan-format.ts";
import type { NoOthers } from "./forms.ts";
import type { ActionForm, LossForm, NoteForm, PlanForm } from "./plan-form.ts";
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

/** An action in its JSON form. */
export function encodeAction(action: Action): ActionForm {
  const { id, address, parent, after, alongWith, ...own } = action;
  const base = {
    id,
    address: formatAddress(address),
    kind: address.kind.name,
    name: nameOf(address),
    parent: encodeParent(parent),
    after,
    ...(alongWith !== undefined && { along_with: alongWith }),
    cost: costOfAction(action),
  };
  switch (own.type) {
    case "create": {
      const { type, mayComeWith, expected, ...others } = own;
      return { type, ...base, ...encodeComing(mayComeWith), expected, ...(others satisfies NoOthers) };
    }
    case "clone": {
      const { type, mayComeWith, source, stated, changes, brings, carries, expected, ...others } = own;
      return {
        type,
        ...base,
        ...encodeComing(mayComeWith),
        source: encodeSource(source),
        stated,
        changes: changes.map(encodeChange),
        brings: brings.map(encodeBrought),
        carries: carries.map(encodeCarried),
        expected,
        ...(others satisfies NoOthers),
      };
    }
    case "update": {
      const { type, resourceId, stated, changes, expected, losses, reaches, fingerprint, ...others } = own;
      return {
        type,
        ...base,
        ...encodeId(resourceId),
        stated,
        changes: changes.map(encodeChange),
        expected,
        ...(losses && { losses: losses.map(encodeLoss) }),
        ...(reaches && { reaches: reaches.map(formatAddress) }),
        ...(fingerprint !== undefined && { fingerprint }),
        ...(others satisfies NoOthers),
      };
    }
    case "replace": {
      const { type, resourceId, expected, changes, reasons, fingerprint, ...leaving } = own;
      const { liveAddress, losses, contentIds, ...others } = leaving;
      return {
        type,
        ...base,
        resource_id: resourceId,
        expected,
        changes: changes.map(encodeChange),
        reasons,
        ...encodeLiveAddress(liveAddress),
        losses: losses.map(encodeLoss),
        content_ids: contentIds,
        fingerprint,
        ...(others satisfies NoOthers),
      };
    }
    case "delete": {
      const { type, afterOthers, resourceId, reason, fingerprint, ...leaving } = own;
      const { liveAddress, losses, contentIds, ...others } = leaving;
      return {
        type,
        ...base,
        after_others: afterOthers,
        resource_id: resourceId,
        reason,
        ...encodeLiveAddress(liveAddress),
        losses: losses.map(encodeLoss),
        content_ids: contentIds,
        fingerprint,
        ...(others satisfies NoOthers),
      };
    }
    case "deploy": {
      const { type, subject, reason, ...others } = own;
      return { type, ...base, subject: encodeReference(subject), reason, ...(others satisfies NoOthers) };
    }
    case "none": {
      const { type, resourceId, ...others } = own;
      return { type, ...base, ...encodeId(resourceId), ...(others satisfies NoOthers) };
    }
    default:
      return unreachable(own);
  }
}

function encodeReference(parent: ParentReference) {
  return "id" in parent ? { id: parent.id } : { made_by: parent.madeBy };
}

function encodeParent(parent: SourceReference) {
  return "broughtBy" in parent ? { brought_by: parent.broughtBy } : encodeReference(parent);
}

function encodeSource(source: CloneAction["source"]) {
  return {
    address: formatAddress(source.address),
    ...encodeParent(source),
  };
}

function encodeComing(coming: MayComeWith | undefined) {
  if (!coming) return {};
  const { address, since, last, ...others } = coming;
  return {
    may_come_with: {
      address: formatAddress(address),
      since,
      ...(last !== undefined && { last }),
      ...(others satisfies NoOthers),
    },
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

function encodeBrought({ kind, name, ...others }: CloneAction["brings"][number]) {
  return { kind, name, ...(others satisfies NoOthers) };
}

function encodeId(resourceId: string | undefined) {
  return resourceId === undefined ? {} : { resource_id: resourceId };
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
