import { type Address, childAddress, formatAddress, formatReference } from "../address.ts";
import type { Desired } from "../desired.ts";
import type { UnknownService } from "../live/index.ts";
import type { Loss } from "./action.ts";
import type { PlanContext } from "./context.ts";
import type { Expected } from "./expected.ts";

/** Services of a type that no kind stands for, as what goes with their holder. */
export function unknownLosses(holder: Address, unknown: readonly UnknownService[]): Loss[] {
  return unknown.map(({ type, name }) => {
    const what = type.toLowerCase();
    return { what, name, address: `${what}:${formatReference([...holder.names, name])}`, described: false };
  });
}

/** All that goes with a resource; undefined when some of it has to be read first. */
export function lossesInside(context: PlanContext, desired: Desired, current: Expected): Loss[] | undefined {
  const own = current.live && context.lossesOf(current.live);
  const children = context.childrenOf({ reference: { id: "" }, inside: current.inside, resource: current });
  if (!own || !children) return undefined;
  const services = children.all.map((child) => {
    const address = childAddress(desired.address, child.kind, child.name);
    return {
      what: child.kind.slug,
      name: child.name,
      address: formatAddress(address),
      described: context.isDescribed(address, child.id),
    };
  });
  const hanging = children.all.map((child) =>
    child.live
      ? context.lossesOf(child.live)?.map((loss) => ({ ...loss, name: `${child.name}: ${loss.name}` }))
      : [],
  );
  if (hanging.includes(undefined)) return undefined;
  const unknown = unknownLosses(desired.address, current.inside.unknown);
  return [...services, ...unknown, ...own, ...hanging.flatMap((losses) => losses ?? [])];
}
