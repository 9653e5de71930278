import { addressKey } from "../address.ts";
import type { Desired } from "../desired.ts";

/** What documents mean, by address and by id. */
export interface Described {
  documents: ReadonlyMap<string, Desired>;
  /** Addresses that resources have had before a document renames them. */
  formerKeys: ReadonlySet<string>;
  ids: ReadonlySet<string>;
}

/** What these documents mean, the names included that they have had. */
export function describedBy(resources: readonly Desired[]): Described {
  const documents = new Map<string, Desired>();
  const formerKeys = new Set<string>();
  const ids = new Set<string>();
  for (const desired of resources) {
    const { address, manage } = desired;
    documents.set(addressKey(address), desired);
    if (manage.id !== undefined) ids.add(manage.id);
    if (manage.renamed_from !== undefined) {
      formerKeys.add(addressKey({ ...address, names: [...address.names.slice(0, -1), manage.renamed_from] }));
    }
  }
  return { documents, formerKeys, ids };
}
