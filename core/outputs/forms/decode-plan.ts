import { type Address, parseAddress, parseAnyAddress } from "../../model/addresses/address.ts";
import type { Loss } from "../../model/loss.ts";
import { type Action, makeAction, type Note, type Plan } from "../../planning/plan/index.ts";
import type { ActionForm, AnyActionForm } from "./action-form.ts";
import type { PlanForm } from "./plan-form.ts";

/** Reads the JSON form of a plan, only to show it. @param at when it was made, in milliseconds since 1970 */
export function decodePlan(form: PlanForm, at: number): Plan {
  const { goal, organization, actions, problems, notes, cost, unread = [], cached } = form;
  return {
    goal,
    organization,
    actions: actions.map(decodeAction),
    problems,
    notes: notes.map(decodeNote),
    unread: unread.map(({ address, sort }) => ({ address: addressIn(address), sort })),
    ...(cached && { cached: { ...cached, oldest: Date.parse(cached.oldest) } }),
    at,
    spent: cost.planning,
  };
}

function decodeNote({ address, resources, ...note }: PlanForm["notes"][number]): Note {
  return {
    ...note,
    ...(address !== undefined && { address: addressIn(address) }),
    ...(resources && { resources: resources.map(addressIn) }),
  };
}

/** The shown members of an action, without those for its execution. */
function decodeAction(form: ActionForm): Action {
  const { id, type, address, parent } = form;
  const {
    along_with: carriedOutBy,
    resource_id: resourceId,
    live_address: live,
    source,
    ...more
  }: AnyActionForm = form;
  const { changes = [], expected = {}, brings = [], carries = [], losses = [], ...last } = more;
  const { reasons = [], reason } = last;
  return makeAction({
    id,
    type,
    address: addressIn(address),
    parent: decodeParent(parent),
    carriedOutBy,
    resourceId,
    liveAddress: live === undefined ? undefined : parseAnyAddress(live),
    source: source && { address: addressIn(source.address), ...decodeParent(source) },
    changes,
    expected,
    brings,
    carries: carries.map(({ what, keys, is_readable: isReadable }) => ({ sort: what, keys, isReadable })),
    losses: losses.map(decodeLoss),
    reasons,
    reason,
  });
}

function decodeParent({
  id,
  made_by: madeBy,
  brought_by: madeWith = "",
}: Partial<Record<"id" | "made_by" | "brought_by", string | undefined>>) {
  if (id !== undefined) return { id };
  return madeBy === undefined ? { madeWith } : { madeBy };
}

function decodeLoss({ address, owner, ...loss }: NonNullable<AnyActionForm["losses"]>[number]): Loss {
  return {
    ...loss,
    ...(address !== undefined && { address: parseAnyAddress(address) }),
    ...(owner && { owner: { id: owner.id, address: parseAnyAddress(owner.address) } }),
  };
}

/** @throws Error for an address of no kind, which no plan has */
function addressIn(text: string): Address {
  const address = parseAddress(text);
  if (!address) throw new Error(`${text} is the address of no kind`);
  return address;
}
