import { addressKey } from "../address.ts";
import type { Desired } from "../desired.ts";

/** What documents mean, by address and by id. */
export interface Described {
  keys: ReadonlySet<string>;
  ids: ReadonlySet<string>;
}

/** What these documents mean, the names included that they have had. */
export function describedBy(resources: readonly Desired[]): Described {
  const keys = new Set<string>();
  const ids = new Set<string>();
  for (const { address, manage } of resources) {
    keys.add(addressKey(address));
    if (manage.id !== undefined) ids.add(manage.id);
    if (manage.renamed_from !== undefined) {
      keys.add(addressKey({ ...address, names: [...address.names.slice(0, -1), manage.renamed_from] }));
    }
  }
  return { keys, ids };
}
