import { type Address, addressKey } from "../../core/address.ts";
import type { Desired } from "../../core/manifest/index.ts";
import type { Plan } from "../../core/plan/index.ts";

/** The ids of live resources, by the keys of the addresses under which documents describe them. */
export type Identities = Readonly<Record<string, string>>;

/**
 * The ids that a plan shows for the resources of documents; of those that it does not find, the ids from before, so that
 * a resource is known again after a person has renamed it.
 */
export function withIdentities(
  before: Identities,
  resources: readonly Pick<Desired, "address">[],
  { actions }: Pick<Plan, "actions">,
): Identities {
  const found = new Map(
    actions.flatMap((action): [string, string][] =>
      action.resourceId !== undefined ? [[addressKey(action.address), action.resourceId]] : [],
    ),
  );
  return Object.fromEntries(
    resources.flatMap(({ address }): [string, string][] => {
      const key = addressKey(address);
      const id = found.get(key) ?? idIn(before, address);
      return id === undefined ? [] : [[key, id]];
    }),
  );
}

/** The id of the resource of an address; undefined: nobody remembers one. */
export function idIn(identities: Identities, address: Address): string | undefined {
  const key = addressKey(address);
  return Object.hasOwn(identities, key) ? identities[key] : undefined;
}
