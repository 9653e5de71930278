import { formatReference, type Address, addressKey, parentAddress } from "../../model/addresses/address.ts";
import { once } from "../../values/json.ts";
import { KnownCredentials } from "../../redaction/known-credentials.ts";
import { mayHavePasswords } from "../../rules/credentials.ts";
import { schemaAt } from "../../model/schema/field-schema.ts";
import type { Action } from "./action.ts";
import type { Inventory, ResourceIdentity } from "./inventory.ts";
import type { Planning } from "./planning.ts";

const withPassword = once(({ byId }: Inventory) =>
  [...byId.values()].filter(({ live }) => live?.kind.credentialsAt),
);

/** Known passwords of a resource, its contents and siblings. @param isShown whether output needs the missing ones */
export function credentialsAround(
  planning: Planning,
  address: Address,
  id: string | undefined,
  isShown: boolean,
): KnownCredentials | undefined {
  const { live, inventory, findings } = planning;
  const parent = parentAddress(address);
  const around = withPassword(inventory).filter((each) => isInside(each.parent, id, parent));
  const reported = around.flatMap((each) => {
    const {
      live: resource,
      what,
      names: [names = []],
    } = each;
    if (!resource) return [];
    if (isShown && live.isFinal !== true && live.passwords && !live.passwords.has(resource.id))
      findings.needPassword(resource);
    const password = live.passwords?.get(resource.id);
    return password ? [{ ...password, of: `${what}:${formatReference(names)}` }] : [];
  });
  return reported.length === 0 ? undefined : new KnownCredentials(reported);
}

function isInside(
  outer: ResourceIdentity | undefined,
  id: string | undefined,
  parent: Address | undefined,
): boolean {
  if (!outer) return false;
  const isParent =
    parent !== undefined &&
    outer.kind === parent.kind &&
    outer.names.some((names) => addressKey({ kind: parent.kind, names }) === addressKey(parent));
  return outer.id === id || isParent || isInside(outer.parent, id, parent);
}

/** The credentials from the server in an action, which no output may show. */
export function credentialsShownBy(planning: Planning, action: Action): KnownCredentials | undefined {
  const { address, resourceId, declared, expected, changes } = action;
  const { fields } = address.kind;
  const isShown =
    [declared, expected].some((each) => mayHavePasswords(fields, each)) ||
    changes.some(({ path, before, after }) =>
      [before, after].some((value) => mayHavePasswords(schemaAt(fields, path) ?? {}, value)),
    );
  return credentialsAround(planning, address, resourceId, isShown);
}
