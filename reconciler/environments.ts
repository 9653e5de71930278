import { addressKey, type AnyAddress, formatAddress, formatReference } from "../core/address.ts";
import type { Desired } from "../core/manifest/index.ts";
import { nameKey } from "../core/names.ts";
import type { Pattern } from "../core/pattern.ts";
import { environmentNames } from "./policy/index.ts";

/** Documents that can be planned without the others: those of one environment, or one project without its contents. */
export interface Share {
  key: string;
  /** The names of the project and the environment, or of the project alone. */
  names: readonly string[];
  /** As messages name it: `shop/production`. */
  name: string;
  /** Chooses them; planning adds what they need. */
  target: Pattern;
}

/** Divides documents by environment, in the order in which they stand. */
export function sharesOf(resources: readonly Desired[]): Share[] {
  const shares = new Map<string, Share>();
  for (const { address } of resources) {
    const names = address.names.slice(0, 2).map(nameKey);
    const key = names.join("/");
    if (shares.has(key)) continue;
    const own = environmentNames(address);
    shares.set(key, { key, names: own, name: formatReference(own), target: targetOf(address, names) });
  }
  return [...shares.values()];
}

/** A share without some resources; undefined when none of its documents is left. */
export function without(
  share: Share,
  left: ReadonlySet<string>,
  resources: readonly Desired[],
): Share | undefined {
  const matches = (other: AnyAddress) => share.target.matches(other) && !left.has(formatAddress(other));
  const hasMore = resources.some(({ address }) => matches(address));
  return hasMore ? { ...share, target: { ...share.target, matches } } : undefined;
}

/** A project alone, or an environment with everything in it. */
function targetOf(address: AnyAddress, names: readonly string[]): Pattern {
  const isWithin = (outer: readonly string[], inner: readonly string[]) =>
    outer.every((name, index) => name === nameKey(inner[index] ?? ""));
  return {
    text: formatAddress(address),
    matches: (other) =>
      names.length === 1
        ? addressKey(other) === addressKey(address)
        : other.names.length >= 2 && isWithin(names, other.names),
    looksInside: (outer) =>
      names.length === 2 && isWithin(names.slice(0, outer.length), outer.slice(0, names.length)),
  };
}
