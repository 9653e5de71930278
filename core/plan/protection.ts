import { formatAddress, parentAddress, type Address } from "../address.ts";
import { addressesOf, addressBy, type Inventory, type Identity } from "./inventory.ts";
import type { Policy } from "./policy.ts";
import type { Remedy } from "../remedy.ts";

/** What protects a resource, and what would take the protection off. */
export interface Protection {
  /** A subject: `manage.protect of environment:shop/production`. */
  by: string;
  remedy: Remedy;
}

/**
 * What protects a live resource: `manage.protect` in its document or in that of a parent at any level, or a pattern of
 * the configuration. A pattern is matched with each of its names, so a new name takes no protection away. Undefined:
 * nothing does.
 */
export function protectionOf(
  inventory: Inventory,
  policy: Policy,
  identity: Identity,
): Protection | undefined {
  const document = protectingDocument(inventory, identity);
  if (document) {
    const address = formatAddress(document);
    return { by: `manage.protect of ${address}`, remedy: { unprotect: address } };
  }
  const addresses = identity.names.map((names) => addressBy(identity, names));
  const pattern = policy.protect.find((each) => addresses.some((address) => each.matches(address)));
  return (
    pattern && {
      by: `the pattern "${pattern.text}"`,
      remedy: { setting: "protect", value: pattern.text },
    }
  );
}

/** The address of the document that protects a resource. */
function protectingDocument(inventory: Inventory, identity: Identity): Address | undefined {
  for (const address of addressesOf(identity)) {
    for (let at: Address | undefined = address; at; at = parentAddress(at)) {
      if (inventory.documentOf(at)?.manage.protect) return at;
    }
  }
  return identity.parent && protectingDocument(inventory, identity.parent);
}
