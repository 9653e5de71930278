import { clocksAgree } from "../api/clock.ts";
import type { Desired } from "../manifest/desired.ts";
import { parentOf } from "../manifest/desired.ts";
import type { Action } from "./action.ts";
import { isTarget } from "./documents.ts";
import { hasEnded } from "./expiry.ts";
import { attempt } from "./findings.ts";
import type { Planning } from "./planning.ts";
import { protectionOf } from "./protection.ts";
import { deletionsOf, existing } from "./remove.ts";

/** What a plan deletes because its time is over. */
export interface Expired {
  /** In an order in which each comes after what it waits for. */
  actions: Action[];
  /** The documents of which nothing else is planned: those of the resources that are deleted. */
  documents: ReadonlySet<Desired>;
}

/**
 * Plans the deletion of resources whose documents limit how long they exist, after that time, where the run prunes. The
 * resource itself has to say so too: by its mode, its name, and the end that was written on it.
 */
export function expire(planning: Planning): Expired {
  const { resources, policy, findings, inventory } = planning;
  const ended = new Set<Desired>();
  for (const desired of policy.prune ? resources : []) {
    if (!desired.expires || desired.manage.prune === false || !isTarget(policy, desired.address)) continue;
    const current = attempt(() => existing(planning, desired));
    const end = current && attempt(() => hasEnded(planning, desired, current));
    const identity = current?.id === undefined ? undefined : inventory.byId.get(current.id);
    if (end === undefined || !identity) continue;
    const protection = protectionOf(inventory, policy, identity);
    const isCertain = clocksAgree(planning.live.serverAhead ?? 0);
    findings.note(
      !isCertain
        ? {
            code: "expires",
            message: `not deleted, although it was to end at ${end}, because the clocks of this machine and of the server differ by more than an hour; set the clock of this machine`,
            address: desired.address,
          }
        : protection
          ? {
              code: "protected",
              message: `not deleted, although it was to end at ${end}, because it is protected by ${protection.by}`,
              address: desired.address,
              remedies: [protection.remedy],
            }
          : {
              code: "expires",
              message: `is deleted, because it was to end at ${end}; take its document out, or the next run clones it again`,
              address: desired.address,
            },
    );
    if (isCertain && !protection) ended.add(desired);
  }
  const isInside = (desired: Desired): boolean => {
    const parent = parentOf(desired);
    return parent !== undefined && (ended.has(parent) || isInside(parent));
  };
  const inner = ended.size === 0 ? [] : resources.filter((desired) => isInside(desired));
  const chosen = new Set([...ended, ...inner.filter(({ address }) => isTarget(policy, address))]);
  return {
    actions: chosen.size === 0 ? [] : deletionsOf(planning, chosen, "expired"),
    documents: new Set([...ended, ...inner]),
  };
}
