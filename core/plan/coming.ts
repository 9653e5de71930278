import { addressKey, formatAddress, parentAddress } from "../address.ts";
import type { Desired } from "../desired.ts";
import type { MayComeWith } from "./action.ts";
import type { Holder, PlanContext } from "./context.ts";

/**
 * Whether a resource that is not there may still come with the clone that its holder is: one that an earlier run
 * has asked for, and that the server has not filled yet. `unread` while the source of the clone has to be read.
 */
export function comingWith(
  context: PlanContext,
  desired: Desired,
  holder: Holder,
): MayComeWith | "unread" | undefined {
  const clone = holder.resource?.live;
  const above = parentAddress(desired.address);
  const document = above && desired.after.find(({ address }) => addressKey(address) === addressKey(above));
  if (!clone || !document?.cloneFrom) return undefined;
  const source = context.find(document.cloneFrom);
  if (source === undefined || source === "unread") return source;
  const inside = context.childrenOf({ reference: { id: "" }, inside: source.inside, resource: source });
  if (!inside) return "unread";
  const since = createdAt(clone.response);
  if (since === undefined) return undefined;
  const isThere = inside.find(desired.address.kind, desired.name).some(({ live }) => {
    const made = live && createdAt(live.response);
    // What the source has got after the clone was asked for does not come with it.
    return made !== undefined && Date.parse(made) <= Date.parse(since);
  });
  return isThere ? { address: formatAddress(document.address), since } : undefined;
}

function createdAt({ created_at: value }: { [member: string]: unknown }): string | undefined {
  return typeof value === "string" && !Number.isNaN(Date.parse(value)) ? value : undefined;
}
