import { type AnyAddress, formatAddress, formatReference } from "../../core/address.ts";
import { parentKindAt } from "../../core/kinds/index.ts";
import type { Desired } from "../../core/manifest/index.ts";
import { nameKey } from "../../core/names.ts";
import type { Pattern } from "../../core/pattern.ts";

/**
 * Documents that can be planned without the others: those of one environment, those of a project that are in no
 * environment, or those of the organization that are in no project.
 */
export interface Share {
  key: string;
  /** The names of the project and the environment, of the project alone, or none. */
  names: readonly string[];
  /** As messages name it: `shop/production`. */
  name: string;
  /** Chooses them; planning adds what they need. */
  target: Pattern;
}

/** The names of the environment of a resource; without one those of its project; none for what is in no project. */
export function environmentNames({ kind, names }: AnyAddress): string[] {
  const isParent = parentKindAt(names.length - 1)?.slug === kind.slug;
  return names.slice(0, Math.min(2, isParent ? names.length : names.length - 1));
}

/** The environment of a resource, or what stands for it, as messages name it. */
export function environmentOf(address: AnyAddress): string {
  return nameOfShare(environmentNames(address));
}

/** Equal for the resources of one share. */
export function shareKey(address: AnyAddress): string {
  return shareKeyOf(environmentNames(address));
}

/** Divides documents by environment, in the order in which they stand. */
export function sharesOf(resources: readonly Desired[]): Share[] {
  const shares = new Map<string, Share>();
  for (const { address } of resources) {
    const names = environmentNames(address);
    const key = shareKeyOf(names);
    if (!shares.has(key))
      shares.set(key, { key, names, name: nameOfShare(names), target: targetOf(address) });
  }
  return [...shares.values()];
}

/** The key of a share by its names. */
export function shareKeyOf(names: readonly string[]): string {
  return names.map(nameKey).join("/");
}

export function nameOfShare(names: readonly string[]): string {
  return names.length === 0 ? "the organization" : formatReference(names);
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

/** All that is in the share of a resource. */
function targetOf(address: AnyAddress): Pattern {
  const key = shareKey(address);
  const names = environmentNames(address).map(nameKey);
  return {
    text: formatAddress(address),
    matches: (other) => shareKey(other) === key,
    looksInside: (outer) =>
      names.length === 2 &&
      names.every((name, index) => outer.length <= index || name === nameKey(outer[index] ?? "")),
  };
}
