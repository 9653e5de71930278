import { addressKey, type AnyAddress, formatAddress } from "../core/address.ts";
import type { Desired } from "../core/manifest/index.ts";
import { nameKey } from "../core/names.ts";
import type { Pattern } from "../core/pattern.ts";

/** Documents that can be planned without the others: those of one environment, or one project without its contents. */
export interface Share {
  key: string;
  /** Chooses them; planning adds what they need. */
  target: Pattern;
}

/** Divides documents by environment, in the order in which they stand. */
export function sharesOf(resources: readonly Desired[]): Share[] {
  const shares = new Map<string, Share>();
  for (const { address } of resources) {
    const names = address.names.slice(0, 2).map(nameKey);
    const key = names.join("/");
    if (!shares.has(key)) shares.set(key, { key, target: targetOf(address, names) });
  }
  return [...shares.values()];
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
