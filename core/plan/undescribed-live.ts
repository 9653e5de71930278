import { type AnyAddress, formatAddress } from "../address.ts";
import type { Desired } from "../manifest/index.ts";
import { entriesIn, inheritedParts, partsIn } from "../parts/index.ts";
import type { LiveState } from "./given.ts";
import { addressBy, type ResourceIdentity, takeInventory } from "./inventory.ts";

/** Something live that no document describes. */
export interface UndescribedThing {
  /** The address of the resource, or of the one that a variable or a secret belongs to. */
  address: AnyAddress;
  /** `job:shop/staging/b`, `variable LEVEL of job:shop/staging/a`. */
  text: string;
}

/**
 * All that is live in described resources and that no document describes, as far as it has been read: what they contain,
 * and their variables and secrets. A copy has the contents of its source, and contents that are left to others belong to these.
 */
export function undescribedThings(live: LiveState, documents: readonly Desired[]): UndescribedThing[] {
  const { byId } = takeInventory(live, documents);
  return [...byId.values()].flatMap((identity) => [...undescribedIn(identity), ...partsOf(identity, live)]);
}

function undescribedIn({ documents, contents }: ResourceIdentity): UndescribedThing[] {
  if (documents.length === 0 || documents.some(isCopy)) return [];
  return contents
    .filter(({ kind, name, documents: its }) => its.length === 0 && !kind?.comesWithParent?.(name))
    .map((identity) => {
      const address = addressBy(identity, identity.names[0] ?? []);
      return { address, text: formatAddress(address) };
    });
}

function partsOf(
  { documents, live: resource, parent }: ResourceIdentity,
  { parts }: LiveState,
): UndescribedThing[] {
  if (!resource || documents.length === 0) return [];
  if ([documents, parent?.documents ?? []].some((each) => each.some(isCopy))) return [];
  const [{ address } = { address: undefined }] = documents;
  if (!address) return [];
  return inheritedParts(resource.kind).flatMap((part) => {
    const { member, name, form } = part;
    const isStated = (key: string) =>
      documents.some(
        ({ stated, manage: { ignore = [] } }) =>
          Object.hasOwn(entriesIn(stated, member), key) ||
          ignore.includes(member) ||
          ignore.includes(`${member}.${key}`),
      );
    return (partsIn(parts, resource, [part]) ?? [])
      .filter(({ key, isOwn, response }) => isOwn && !part.isBuiltIn?.(response) && !isStated(key))
      .filter(({ key }) => form?.isPersonal?.(key) !== true)
      .map(({ key }) => ({ address, text: `${name} ${key} of ${formatAddress(address)}` }));
  });
}

function isCopy({ cloneFrom }: Desired): boolean {
  return cloneFrom !== undefined;
}
