import { createHash } from "node:crypto";
import { addressKey, type AnyAddress, formatAddress } from "../../model/addresses/address.ts";
import { stableJson } from "../../values/json.ts";
import { nameKey } from "../../model/addresses/names.ts";
import { type Action, isLiveUpdate, type LiveAction } from "../plan/action.ts";
import { addressBy, type ResourceIdentity, type Inventory } from "../plan/inventory.ts";
import type { Whole } from "../plan/planning.ts";
import type { Problem } from "../../problems/problem.ts";
import { patternsIn } from "./protected-by.ts";

/** A live resource whose present address a pattern protects, and whose next address none does. */
interface LostProtection {
  id: string;
  by: string;
  from: AnyAddress;
  to: AnyAddress;
}

/** Asks for the lists that show which protected resources a rename of their parent moves. */
export function needRenamed({ planning: { findings, inventory, live, policy }, actions }: Whole): void {
  const visit = (identity: ResourceIdentity): void => {
    const resource = identity.live;
    const [names = []] = identity.names;
    if (!resource || !patternsIn(policy).some((pattern) => pattern.readsInside(names))) return;
    findings.needInside(live, resource);
    for (const inner of identity.contents) visit(inner);
  };
  for (const { identity } of renamings(inventory, actions)) visit(identity);
}

/** Problems of renames that leave protected resources unprotected for the next run; the renamed one's document can consent. */
export function unprotectedProblems({ planning: { inventory, policy }, actions }: Whole): Problem[] {
  const protect = patternsIn(policy);
  const next = new Map(
    renamings(inventory, actions).map(({ identity, action }) => [
      identity,
      action.address.names.at(-1) ?? "",
    ]),
  );
  return renamings(inventory, actions).flatMap(({ identity, action }): Problem[] => {
    const bared: LostProtection[] = [];
    const visit = (each: ResourceIdentity, to: readonly string[]): void => {
      const [from = []] = each.names;
      const [before, after] = [addressBy(each, from), addressBy(each, to)];
      const pattern = protect.find((one) => one.matches(before));
      if (pattern && !protect.some((one) => one.matches(after)))
        bared.push({ id: each.id, by: pattern.text, from: before, to: after });
      for (const inner of each.contents)
        // A resource with a rename of its own has its own problem.
        visit(inner, [...to, next.get(inner) ?? inner.name]);
    };
    visit(identity, nextNames(identity, next));
    const [first] = bared;
    if (!first) return [];
    const address = formatAddress(action.address);
    const more =
      bared.length === 1 ? "" : `, and ${bared.length - 1} more in it would lose their protection too`;
    return [
      {
        code: "protected",
        message: `${formatAddress(first.from)} is protected by the pattern "${first.by}", which does not match its new name ${formatAddress(first.to)}${more}`,
        advice: "undo the change, or let a pattern protect the new name as well",
        remedies: [{ consent: "unprotect", address, declared: consentTo(bared) }],
        address,
      },
    ];
  });
}

function renamings(
  inventory: Inventory,
  actions: readonly Action[],
): { identity: ResourceIdentity; action: LiveAction }[] {
  return actions.flatMap((action) => {
    if (!isLiveUpdate(action)) return [];
    const identity = inventory.byId.get(action.resourceId);
    const name = action.address.names.at(-1) ?? "";
    return identity && nameKey(identity.name) !== nameKey(name) ? [{ identity, action }] : [];
  });
}

function nextNames(identity: ResourceIdentity, next: ReadonlyMap<ResourceIdentity, string>): string[] {
  const above = identity.parent ? nextNames(identity.parent, next) : [];
  return [...above, next.get(identity) ?? identity.name];
}

/** The consent to these resources only: it differs if others, or more, lose their protection. */
function consentTo(bared: readonly LostProtection[]): string {
  const all = bared.map(({ id, from, to }) => [id, addressKey(from), addressKey(to)]).toSorted();
  return `unprotect-${createHash("sha256").update(stableJson(all)).digest("hex").slice(0, 16)}`;
}
