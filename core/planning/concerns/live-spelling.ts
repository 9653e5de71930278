import { type AnyAddress, addressKey } from "../../model/addresses/address.ts";
import { nameKey } from "../../model/addresses/names.ts";
import { parentKindAt } from "../../model/kinds/index.ts";
import { addressBy, type ResourceIdentity, type Inventory } from "../plan/inventory.ts";

/** Addresses in the server's spelling, without duplicates: `shop/Production` becomes `shop/production`. */
export function inLiveSpelling(inventory: Inventory, addresses: readonly AnyAddress[]): AnyAddress[] {
  const spelled = addresses.map((address) => ({ ...address, names: spelledNames(inventory, address) }));
  return [...new Map(spelled.map((address) => [addressKey(address), address])).values()];
}

function spelledNames({ roots }: Inventory, { kind, names }: AnyAddress): string[] {
  let among: readonly ResourceIdentity[] = roots;
  return names.map((name, depth) => {
    const slug = depth === names.length - 1 ? kind.slug : parentKindAt(depth)?.slug;
    const found = among.find((each) => each.what === slug && nameKey(each.name) === nameKey(name));
    among = found?.contents ?? [];
    return found?.name ?? name;
  });
}

/** The live address of a resource, and the addresses by which documents may declare it. */
export function everyAddressOf(identity: ResourceIdentity): AnyAddress[] {
  return identity.names.map((names) => addressBy(identity, names));
}
