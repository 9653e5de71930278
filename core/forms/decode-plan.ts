import { Ajv, type ValidateFunction } from "ajv";
import { type Address, parseAddress, parseAnyAddress } from "../address.ts";
import {
  type Action,
  type Loss,
  type ParentReference,
  type SourceReference,
  type Plan,
  orderFault,
} from "../plan/index.ts";
import { fromForm } from "./members.ts";
import type { ActionForm, AnyActionForm, LossForm } from "./action-form.ts";
import { type PlanForm, planForm } from "./plan-form.ts";
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
    notes: notes.map(({ advice: _advice, remedies, address, resources, ...note }) => ({
      ...note,
      ...(remedies && { remedies: remedies.map(decodeRemedy) }),
      ...(address !== undefined && { address: decodeAddress(address) }),
      ...(resources && { resources: resources.map(decodeAddress) }),
    })),
    at: inputs ? Date.parse(inputs.planned_at) : 0,
    spent: cost.planning,
  };
}

function decodeAction(form: ActionForm): Action {
  const { type, id, parent, after } = form;
  const of: AnyActionForm = form;
  return {
    type,
    id,
    address: decodeAddress(form.address),
    parent: decodeParent(parent),
    after,
    afterOthers: of.after_others ?? false,
    carriedOutBy: of.along_with,
    resourceId: of.resource_id,
    liveAddress: of.live_address === undefined ? undefined : parseAnyAddress(of.live_address),
    fingerprint: of.fingerprint,
    pendingClone: of.may_come_with && {
      ...of.may_come_with,
      address: decodeAddress(of.may_come_with.address),
    },
    source: of.source && decodeSource(of.source),
    stated: of.stated ?? {},
    changes: of.changes ?? [],
    expected: of.expected ?? {},
    brings: of.brings ?? [],
    carries: (of.carries ?? []).map(({ what, ...parts }) => ({ sort: what, ...fromForm(parts) })),
    reasons: of.reasons ?? [],
    reason: of.reason,
    cause: undefined,
    losses: (of.losses ?? []).map(decodeLoss),
    contentIds: of.content_ids ?? [],
    reaches: (of.reaches ?? []).map(decodeAddress),
    subject: of.subject && decodeReference(of.subject),
  };
}

function decodeAddress(text: string): Address {
  const address = parseAddress(text);
  if (!address) throw new TypeError(`there can be no resource of the address ${text}`);
  return address;
}

function decodeReference(form: NonNullable<AnyActionForm["subject"]>): ParentReference {
  return "id" in form ? { id: form.id } : { madeBy: form.made_by };
}

function decodeParent(parent: ActionForm["parent"]): SourceReference {
  return "brought_by" in parent ? { madeWith: parent.brought_by } : decodeReference(parent);
}

function decodeSource(source: NonNullable<AnyActionForm["source"]>): Action["source"] {
  const { id, made_by: madeBy, brought_by: madeWith = "" } = source;
  const address = decodeAddress(source.address);
  if (id !== undefined) return { address, id };
  return madeBy === undefined ? { address, madeWith } : { address, madeBy };
}

function decodeLoss({ words: _words, owner, ...loss }: LossForm): Loss {
  return {
    ...withAddresses(fromForm(loss)),
    ...(owner && { owner: { ...withAddresses(fromForm(owner)), address: parseAnyAddress(owner.address) } }),
  };
}

/** Something with the addresses that its texts stand for. */
function withAddresses<Value extends { address?: string | undefined; liveAddress?: string | undefined }>({
  address,
  liveAddress,
  ...others
}: Value) {
  return {
    ...others,
    ...(address !== undefined && { address: parseAnyAddress(address) }),
    ...(liveAddress !== undefined && { liveAddress: parseAnyAddress(liveAddress) }),
  };
}
