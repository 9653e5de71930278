import { type AnyAddress, formatAddress, nameOf } from "../address.ts";
import {
  type Action,
  costOf,
  costOfAction,
  countActions,
  countLosses,
  type DeleteAction,
  hasChanges,
  type Loss,
  type MayComeWith,
  type Note,
  type ParentReference,
  type Plan,
  type ReplaceAction,
  unreachable,
} from "../plan/index.ts";
import { planFormat } from "../plan-format.ts";
import { type ActionForm, type LossForm, type NoteForm, type PlanForm, planVersion } from "./plan-form.ts";
import { encodeProblem, encodeRemedy } from "./problem.ts";

/** A plan in its JSON form. */
export function encodePlan(plan: Plan): PlanForm {
  const { goal, organization, actions, problems, notes } = plan;
  return {
    format: planFormat,
    version: planVersion,
    goal,
    organization,
    has_changes: hasChanges(plan),
    applicable: problems.length === 0,
    counts: { ...countActions(actions), lost: countLosses(actions) },
    actions: actions.map(encodeAction),
    problems: problems.map(encodeProblem),
    notes: notes.map(encodeNote),
    cost: costOf(plan),
  };
}

function encodeNote({ message, remedies, address }: Note): NoteForm {
  return {
    message,
    ...(remedies && { remedies: remedies.map(encodeRemedy) }),
    ...(address && { address: formatAddress(address) }),
  };
}

function encodeAction(action: Action): ActionForm {
  const { id, address, parent, after, alongWith } = action;
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
  switch (action.type) {
    case "create": {
      const { type, expected } = action;
      return { type, ...base, ...coming(action), expected };
    }
    case "clone": {
      const { type, source, stated, changes, brings, expected } = action;
      const from = {
        address: formatAddress(source.address),
        ...("broughtBy" in source ? { brought_by: source.broughtBy } : encodeParent(source)),
      };
      return { type, ...base, ...coming(action), source: from, stated, changes, brings, expected };
    }
    case "update": {
      const { type, stated, changes, expected, fingerprint } = action;
      return {
        type,
        ...base,
        ...idOf(action),
        stated,
        changes,
        expected,
        ...(fingerprint !== undefined && { fingerprint }),
      };
    }
    case "replace": {
      const { type, resourceId, expected, changes, reasons, fingerprint } = action;
      return {
        type,
        ...base,
        resource_id: resourceId,
        expected,
        changes,
        reasons,
        ...leaving(action),
        fingerprint,
      };
    }
    case "delete": {
      const { type, resourceId, reason, fingerprint } = action;
      return { type, ...base, resource_id: resourceId, reason, ...leaving(action), fingerprint };
    }
    case "none":
      return { type: action.type, ...base, ...idOf(action) };
    default:
      return unreachable(action);
  }
}

function encodeParent(parent: ParentReference) {
  return "id" in parent ? { id: parent.id } : { made_by: parent.madeBy };
}

function coming({ mayComeWith }: { mayComeWith?: MayComeWith }) {
  return mayComeWith
    ? { may_come_with: { address: formatAddress(mayComeWith.address), since: mayComeWith.since } }
    : {};
}

function idOf({ resourceId }: { resourceId?: string }) {
  return resourceId === undefined ? {} : { resource_id: resourceId };
}

function leaving({ liveAddress, losses, contentIds }: ReplaceAction | DeleteAction) {
  return { ...encodeLiveAddress(liveAddress), losses: losses.map(encodeLoss), content_ids: contentIds };
}

function encodeLoss({ what, name, address, liveAddress, id, described }: Loss): LossForm {
  return {
    what,
    name,
    ...(address && { address: formatAddress(address) }),
    ...encodeLiveAddress(liveAddress),
    ...(id !== undefined && { id }),
    described,
  };
}

function encodeLiveAddress(address: AnyAddress | undefined) {
  return address ? { live_address: formatAddress(address) } : {};
}
