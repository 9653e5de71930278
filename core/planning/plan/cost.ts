import { type AnyAddress, addressKey, parentKey } from "../../model/addresses/address.ts";
import { compare, type FieldChange } from "../../model/fields/compare.ts";
import { isFields, own } from "../../values/json.ts";
import { findKind, kindsInside, outputsUsed, partsTakingOutputs } from "../../model/kinds/index.ts";
import { isOnDemand, type LongLists } from "../../state/live/index.ts";
import {
  listsOf,
  lostParts,
  type PartChange,
  type PartEntry,
  siblingKindOf,
  siblingParts,
  type DeclaredPart,
  declaredParts,
} from "../../model/parts/index.ts";
import type { Action } from "./action.ts";
import {
  adds,
  createsAnew,
  deletes,
  deploys,
  isChange,
  isReplacement,
  makes,
  updates,
} from "./action-types.ts";
import type { Plan } from "./plan.ts";

/** The number of requests of a plan. */
export interface Cost {
  planning: number;
  /** The least requests of an apply: every answer is clear, and nothing has to be waited for. */
  applying: number;
}

/** The pages beyond the first of the lists of a resource. */
function more(of: "contents" | "parts", id: string | undefined, long: LongLists | undefined): number {
  return long?.get(id?.toLowerCase() ?? "")?.[of] ?? 0;
}

/** The requests of a plan: its actions, two lists of each parent of deletions, one of each new parent with outputs, and one where resources name siblings. */
export function costOf({ actions, spent, whole, longLists }: Plan): Cost {
  const changes = actions.filter(isChange);
  const emptied = changes.filter(
    (action) => deletes(action) && !makes(action) && action.carriedOutBy === undefined,
  );
  const parents = new Map(
    emptied.map(({ address, parent }) => [parentKey(address), "id" in parent ? parent.id : undefined]),
  );
  const listing = [...parents.values()].reduce((sum, id) => sum + 1 + more("contents", id, longLists), 0);
  const inNew = changes.filter((action) => adds(action) && "madeBy" in action.parent);
  const placesOf = (some: readonly Action[]) => new Set(some.map(({ address }) => parentKey(address))).size;
  const using = inNew.filter(({ address, expected }) => outputsUsed(address.kind, expected).length > 0);
  const linked = inNew.filter(({ address: { kind }, expected }) =>
    siblingParts(declaredParts(kind)).some(({ member }) => own(expected, member) !== undefined),
  );
  const applying = changes.reduce(
    (sum, action) => sum + costOfAction(action, longLists),
    2 * listing +
      placesOf(using) +
      placesOf(linked) +
      costOfUsers(actions, longLists) +
      (whole?.().operation?.requests ?? 0),
  );
  return { planning: spent, applying };
}

/** One variable list for each remaining or replaced resource that may use outputs of deleted ones. */
function costOfUsers(actions: readonly Action[], long: LongLists | undefined): number {
  const sources = actions.filter(
    (action) =>
      action.address.kind.outputs !== undefined && deletes(action) && action.carriedOutBy === undefined,
  );
  if (sources.length === 0) return 0;
  const places = new Set(sources.map(({ address }) => parentKey(address)));
  const users = actions.filter(
    (action) =>
      (!deletes(action) || makes(action)) &&
      places.has(parentKey(action.address)) &&
      partsTakingOutputs(action.address.kind).length > 0,
  );
  const ids = new Map(users.map(({ address, resourceId }) => [addressKey(address), resourceId]));
  return [...ids.values()].reduce((sum, id) => sum + 1 + more("parts", id, long), 0);
}

/** One request for each write and each read list or resource. Deletions share checks, which count once for the plan. */
export function costOfAction(action: Action, long?: LongLists): number {
  const { kind } = action.address;
  // One request lists the environment, one deploys its services.
  if (deploys(action)) return action.carriedOutBy === undefined ? 2 : 0;
  const parts = declaredParts(kind);
  return (
    costOfDeletion(action, long) +
    costOfResource(action) +
    costOfParts(action, parts, long) +
    costOfBelow(action, parts)
  );
}

/** The lists of the contents, read before the removal of parts on which parts of the contents depend. */
function costOfBelow(action: Action, parts: readonly DeclaredPart[]): number {
  const removes = action.changes.some(({ path: [member], after }) => {
    const part = after === undefined && parts.find((each) => each.member === member);
    return part && part.form.goesWith !== undefined;
  });
  if (!updates(action) || !removes || kindsInside(action.address.kind).every(isOnDemand)) return 0;
  // Each service has a list of its own, and each environment of a project two.
  const its = addressKey(action.address);
  const places = new Set(action.reaches.map((address) => parentKey(address)).filter((key) => key !== its));
  return 1 + action.reaches.length + 2 * places.size;
}

/** The deletion and the read that answers 404; before a replacement also a read, and a list. */
function costOfDeletion(action: Action, long: LongLists | undefined): number {
  if (!deletes(action)) return 0;
  const gone = action.losses.flatMap(({ id, recreated, address }) =>
    id !== undefined && !recreated && address ? [{ address, resourceId: id }] : [],
  );
  const lists = [action, ...gone].reduce(
    (sum, { address, resourceId: id }) =>
      sum + listsInside(address) + more("contents", id, long) + more("parts", id, long),
    0,
  );
  if (action.carriedOutBy !== undefined) return lists;
  return lists + (isReplacement(action) ? 4 : 2);
}

/** The lists of contents and parts; data, such as backups, has a separate list. */
function listsInside({ kind }: AnyAddress): number {
  const inside = kindsInside(kind);
  const usual = inside.some((each) => !isOnDemand(each)) ? 1 : 0;
  const data = inside.filter((each) => each.use === "data" && isOnDemand(each)).length;
  return usual + data + listsOf(lostParts(findKind(kind.name) ?? { parts: [] }));
}

function costOfResource(action: Action): number {
  const { address, brings } = action;
  const { kind } = address;
  const { properties = {} } = kind.fields;
  const changed = changesOf(action).map(({ path: [member = ""] }) => member);
  const isOwn = changed.some((member) => !own(properties, member)?.part);
  if (createsAnew(action)) return 1 + (kind.form?.createCarries ? 1 : 0);
  // A clone is requested, listed and read, and its contents are listed.
  if (makes(action)) return 3 + (isOwn ? 1 : 0) + (brings.length > 0 ? 1 : 0);
  return isOwn ? 2 : 0;
}

/** Of a new resource: all differences from the defaults. */
function changesOf({ address, changes, expected, ...action }: Action): readonly FieldChange[] {
  return createsAnew(action) ? compare(address.kind.fields, {}, expected) : changes;
}

/** The requests that write the parts of a resource, and the lists of existing parts. */
function costOfParts(action: Action, parts: readonly DeclaredPart[], long: LongLists | undefined): number {
  const isNew = createsAnew(action);
  // The parts of a copy are listed even without a change.
  const isCopy = !isNew && action.resourceId === undefined;
  const changes = Map.groupBy(changesOf(action), ({ path: [member = ""] }) => member);
  return parts.reduce((sum, part) => {
    const { member, form } = part;
    const its = changes.get(member) ?? [];
    const sibling = siblingKindOf(part);
    // The siblings are listed already; siblings of its own kind are not.
    if (sibling !== undefined) {
      if (its.length === 0 || (isNew && sibling === action.address.kind.name)) return sum;
      // No list that was read before contains a new resource.
      return sum + (isNew && typeof own(action.expected, member) !== "string" ? 2 : 1);
    }
    if (its.length === 0) return sum + (isCopy && own(action.declared, member) ? 1 : 0);
    const entries = own(action.expected, member);
    const byKey = [...Map.groupBy(its, ({ path: [, key = ""] }) => key)].map(([key, ofKey]) => ({
      key,
      desired: isFields(entries) ? own(entries, key) : undefined,
      isThere: ofKey.some(({ path, before }) => path.length > 2 || before !== undefined),
    }));
    const making = byKey.filter(({ isThere }) => form.isPermanent || !isThere);
    const refers = byKey.some(
      ({ key, desired }) => isFields(desired) && (form.needs?.(desired, key) ?? []).length > 0,
    );
    const removes = !form.isPermanent && !form.isWhole && byKey.some(({ desired }) => desired === undefined);
    const lists = (isNew ? 0 : 1) + (refers ? 1 : 0) + (removes ? 1 : 0);
    const pages = lists * (1 + more("parts", action.resourceId, long));
    return sum + pages + creationsOf(part, making) + (byKey.length - making.length);
  }, 0);
}

/** The number of requests that create entries when everything that they refer to exists: one can create several. */
function creationsOf(part: DeclaredPart, making: readonly PartChange[]): number {
  const { form } = part;
  const needed = making.flatMap(({ key, desired }) =>
    isFields(desired) ? (form.needs?.(desired, key) ?? []) : [],
  );
  const listed = needed.map(({ key }): PartEntry => {
    const response = { id: "id", key };
    return { part, key, isOwn: false, isReadable: true, response };
  });
  let left = [...making];
  let count = 0;
  while (left.length > 0) {
    const request = form.nextRequest("id", left, listed, "parent");
    if (!request) return count + left.length;
    count += 1;
    left = left.filter(({ key }) => !request.keys.includes(key));
  }
  return count;
}
