import { type AnyAddress, formatReference, parseAnyAddress } from "../../core/model/addresses/address.ts";
import type { DesiredResource } from "../../core/manifests/manifest/index.ts";
import { nameKey } from "../../core/model/addresses/names.ts";
import { environmentNames } from "../../core/model/addresses/scope.ts";

/**
 * A share has rules of its own, and is planned alone: the documents of one environment, those of a project outside its
 * environments, or those of the organization outside projects.
 */
export interface Share {
  /** Equal for all documents of a share. */
  key: string;
  /** The names of the project and the environment, of the project alone, or none. */
  names: readonly string[];
  /** Its name in messages: `shop/production`. */
  name: string;
}

/** The share of a resource. @param given also as text, such as `job:shop/production/a` */
export function shareOf(given: AnyAddress | string): Share {
  const names = environmentNames(typeof given === "string" ? parseAnyAddress(given) : given);
  const name = names.length === 0 ? "the organization" : formatReference(names);
  return { key: shareKeyOf(names), names, name };
}

/** Divides documents, in order. */
export function sharesOf(resources: readonly Pick<DesiredResource, "address">[]): Share[] {
  const shares = new Map<string, Share>();
  for (const { address } of resources) {
    const share = shareOf(address);
    if (!shares.has(share.key)) shares.set(share.key, share);
  }
  return [...shares.values()];
}

export function shareKeyOf(names: readonly string[]): string {
  return names.map(nameKey).join("/");
}
