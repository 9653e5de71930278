import type { Concern, Whole } from "../plan/planning.ts";
import { formatAddress } from "../../model/addresses/address.ts";
import type { Fields } from "../../values/json.ts";
import type { Problem } from "../../problems/problem.ts";
import { isLiveUpdate } from "../plan/action.ts";
import { unreadIn } from "../plan/live-state.ts";
import { isLiveDeletion } from "../plan/lost-resources.ts";
import type { Kind } from "../../model/kinds/index.ts";
import { sameId } from "../../state/live/index.ts";

/** Keeps the last required resource of a parent, such as the last owner of an organization. */
export const keepsOne: Concern = {
  name: "keeps one",
  programs: true,
  need: needOthers,
  guard: keepsOneProblems,
};

/** Asks for the list that shows whether others remain. */
function needOthers({ planning: { findings, inventory, live }, actions }: Whole): void {
  for (const action of actions) {
    const { kind } = action.address;
    if (!kind.deletion?.keepsOne || (!isLiveUpdate(action) && !isLiveDeletion(action))) continue;
    const { live: one, parent } = inventory.byId.get(action.resourceId) ?? {};
    if (one && unreadIn(live, kind.parent, one.parentId).includes(kind))
      findings.needList(kind, one.parentId, parent?.live);
  }
}

function keepsOneProblems({ planning, actions, lostResources }: Whole): Problem[] {
  const { byId } = planning.inventory;
  const lost = new Set(lostResources.map(({ identity }) => identity.id));
  const expected = new Map<string, Fields>();
  for (const action of actions) if (isLiveUpdate(action)) expected.set(action.resourceId, action.expected);
  return actions.flatMap((action): Problem[] => {
    const { kind } = action.address;
    if (!kind.deletion?.keepsOne || (!isLiveUpdate(action) && !isLiveDeletion(action))) return [];
    const all = [...byId.values()].flatMap(({ id, kind: its, live }) =>
      its === kind && live ? [{ id, fields: live.fields }] : [],
    );
    const last = takesLast(kind, action.resourceId, all, ({ id, fields }) =>
      lost.has(id) ? undefined : (expected.get(id) ?? fields),
    );
    const address = formatAddress(action.address);
    return last
      ? [{ code: "in_use", message: `${address} ${last.message}`, advice: last.advice, address }]
      : [];
  });
}

/** The members of a live resource for this rule. */
interface Holder {
  id: string;
  fields: Fields;
}

/** Why the last such resource in its parent, such as the last owner, cannot be deleted or changed; `after`: its later fields. */
function takesLast(
  { deletion }: Kind,
  id: string,
  all: readonly Holder[],
  after: (one: Holder) => Fields | undefined,
): { message: string; advice: string } | undefined {
  const itself = all.find((each) => sameId(each.id, id));
  const rule = deletion?.keepsOne;
  if (!rule || !itself || !rule.holds(itself.fields)) return undefined;
  const isLeft = all.some((each) => {
    const fields = after(each);
    return fields !== undefined && rule.holds(fields);
  });
  if (isLeft) return undefined;
  const fate = after(itself) ? "changed so" : "deleted";
  return { message: `cannot be ${fate}: it is ${rule.last}`, advice: rule.advice };
}
