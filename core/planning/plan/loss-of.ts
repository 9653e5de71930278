import { formatPath } from "../../model/fields/compare.ts";
import type { UnknownMember } from "../../model/fields/unknown-members.ts";
import { type Loss, lossOfField, type LossSubject } from "../../model/loss.ts";
import { contentOf, type PartEntry } from "../../model/parts/index.ts";
import { addressBy, type ResourceIdentity } from "./inventory.ts";
import { liveAddressOf } from "./lost-resources.ts";

/** The owner of a loss. @param names the planned names, from the project down */
export function ownerOf(identity: ResourceIdentity, names: readonly string[]): LossSubject {
  return { id: identity.id, address: addressBy(identity, names), ...liveAddressOf(identity, names) };
}

/** @param name relative to the resource of the action */
export function lossOfResource(
  { identity, names }: { identity: ResourceIdentity; names: readonly string[] },
  name: string,
  recreated: boolean,
): Loss {
  return {
    sort: "resource",
    what: identity.what,
    name,
    ...ownerOf(identity, names),
    recreated,
    restorable: identity.kind?.use !== "data",
  };
}

/** The loss of a variable, a secret, a domain. @param of the name of its resource, within that of the action */
export function lossOfPart(
  entry: PartEntry | Pick<PartEntry, "part" | "isReadable">,
  owner: LossSubject,
  { name, of, recreated = false, path }: Pick<Loss, "name" | "of" | "path"> & { recreated?: boolean },
): Loss {
  const { part, isReadable } = entry;
  return {
    sort: "part",
    what: part.name,
    name,
    of,
    ...("response" in entry && contentOf(entry, owner.id)),
    owner,
    path,
    recreated,
    restorable: isReadable,
  };
}

/** The loss of a member that this version does not know. */
export function lossOfUnknown({ path }: UnknownMember, owner: LossSubject, of?: string): Loss {
  return lossOfField({ sort: "value", what: "unknown field", key: formatPath(path) }, owner, { of });
}
