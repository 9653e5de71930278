import { Ajv, type ValidateFunction } from "ajv";
import { type Address, parseAddress, parseAnyAddress } from "../address.ts";
import {
  type Action,
  type Loss,
  type ParentReference,
  type SourceReference,
  type Plan,
  orderFault,
  unreachable,
} from "../plan/index.ts";
import { type ActionForm, type LossForm, type PlanForm, planForm } from "./plan-form.ts";
import { decodeProblem, decodeRemedy } from "./problem.ts";

let validator: ValidateFunction<PlanForm> | undefined;

/** Whether a value is a plan of this version, with all its members and no other. */
export function isPlanForm(value: unknown): value is PlanForm {
  validator ??= new Ajv({ strict: true, strictRequired: false }).compile<PlanForm>(planForm);
  return validator(value);
}

/**
 * The plan that a JSON form stands for.
 *
 * @throws TypeError for an address that there cannot be, and for actions that cannot be carried out in any order
 */
export function decodePlan(form: PlanForm): Plan {
  const { goal, organization, problems, notes, cost, inputs } = form;
  const actions = form.actions.map(decodeAction);
  const fault = orderFault(actions);
  if (fault !== undefined) throw new TypeError(fault);
  return {
    goal,
    organization,
    actions,
    problems: problems.map(decodeProblem),
    notes: notes.map(({ code, message, remedies, address, resources }) => ({
      code,
      message,
      ...(remedies && { remedies: remedies.map(decodeRemedy) }),
      ...(address !== undefined && { address: decodeAddress(address) }),
      ...(resources && { resources: resources.map(decodeAddress) }),
    })),
    at: inputs ? Date.parse(inputs.planned_at) : 0,
    spent: cost.planning,
  };
}

function decodeAction(form: ActionForm): Action {
  const { id, parent, after, along_with: alongWith } = form;
  const base = {
    id,
    address: decodeAddress(form.address),
    parent: decodeParent(parent),
    after,
    ...(alongWith !== undefined && { alongWith }),
  };
  switch (form.type) {
    case "create": {
      const { type, expected } = form;
      return { type, ...base, ...decodeComing(form), expected };
    }
    case "clone": {
      const { type, stated, changes, brings, carries, expected } = form;
      return {
        type,
        ...base,
        ...decodeComing(form),
        source: decodeSource(form.source),
        stated,
        changes,
        brings,
        carries: carries.map(({ what, keys, is_readable: isReadable }) => ({ sort: what, keys, isReadable })),
        expected,
      };
    }
    case "update": {
      const { type, stated, changes, expected, losses, reaches, fingerprint } = form;
      return {
        type,
        ...base,
        ...idOf(form),
        stated,
        changes,
        expected,
        ...(losses && { losses: losses.map(decodeLoss) }),
        ...(reaches && { reaches: reaches.map(decodeAddress) }),
        ...(fingerprint !== undefined && { fingerprint }),
      };
    }
    case "replace": {
      const { type, resource_id: resourceId, expected, changes, reasons, fingerprint } = form;
      return { type, ...base, resourceId, expected, changes, reasons, ...decodeLeaving(form), fingerprint };
    }
    case "delete": {
      const { type, resource_id: resourceId, after_others: afterOthers, reason, fingerprint } = form;
      return { type, ...base, afterOthers, resourceId, reason, ...decodeLeaving(form), fingerprint };
    }
    case "deploy":
      return { type: form.type, ...base, subject: decodeReference(form.subject), reason: form.reason };
    case "none":
      return { type: form.type, ...base, ...idOf(form) };
    default:
      return unreachable(form);
  }
}

type FormOf<Type extends ActionForm["type"]> = Extract<ActionForm, { type: Type }>;

function decodeAddress(text: string): Address {
  const address = parseAddress(text);
  if (!address) throw new TypeError(`there can be no resource of the address ${text}`);
  return address;
}

function decodeReference(form: FormOf<"deploy">["subject"]): ParentReference {
  return "id" in form ? { id: form.id } : { madeBy: form.made_by };
}

function decodeParent(parent: ActionForm["parent"]): SourceReference {
  return "brought_by" in parent ? { broughtBy: parent.brought_by } : decodeReference(parent);
}

function decodeSource(source: FormOf<"clone">["source"]): Extract<Action, { type: "clone" }>["source"] {
  const { id, made_by: madeBy, brought_by: broughtBy = "" } = source;
  const address = decodeAddress(source.address);
  if (id !== undefined) return { address, id };
  return madeBy === undefined ? { address, broughtBy } : { address, madeBy };
}

function decodeComing({ may_come_with: coming }: FormOf<"create" | "clone">) {
  if (!coming) return {};
  const { address, since, last } = coming;
  return {
    mayComeWith: { address: decodeAddress(address), since, ...(last !== undefined && { last }) },
  };
}

function idOf({ resource_id: resourceId }: FormOf<"update" | "none">) {
  return resourceId === undefined ? {} : { resourceId };
}

function decodeLeaving({
  live_address: live,
  losses,
  content_ids: contentIds,
}: FormOf<"replace" | "delete">) {
  return { ...decodeLiveAddress(live), losses: losses.map(decodeLoss), contentIds };
}

function decodeLiveAddress(text: string | undefined) {
  return text === undefined ? {} : { liveAddress: parseAnyAddress(text) };
}

function decodeLoss({ address, live_address: live, id, owner, ...form }: LossForm): Loss {
  const { sort, what, name, extent, content, path, described, restorable } = form;
  return {
    sort,
    what,
    name,
    ...(extent !== undefined && { extent }),
    ...(content !== undefined && { content }),
    ...(address !== undefined && { address: parseAnyAddress(address) }),
    ...decodeLiveAddress(live),
    ...(id !== undefined && { id }),
    ...(owner && {
      owner: {
        id: owner.id,
        address: parseAnyAddress(owner.address),
        ...decodeLiveAddress(owner.live_address),
      },
    }),
    ...(path && { path }),
    described,
    restorable,
  };
}
