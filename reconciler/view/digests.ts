import { createHash } from "node:crypto";
import { formatAddress } from "../../core/address.ts";
import { type Json, stableJson } from "../../core/json.ts";
import type { Desired } from "../../core/manifest/index.ts";
import { shareOf } from "../policy/index.ts";

const known = new WeakMap<readonly Desired[], ReadonlyMap<string, string>>();

/** Digests of the documents of a commit, by the keys of their shares: equal as long as no document of a share changes. */
export function digestsOf(resources: readonly Desired[]): ReadonlyMap<string, string> {
  const found = known.get(resources);
  if (found) return found;
  const byShare = Map.groupBy(resources, ({ address }) => shareOf(address).key);
  const digests = new Map([...byShare].map(([key, documents]) => [key, digestOf(documents)]));
  known.set(resources, digests);
  return digests;
}

function digestOf(documents: readonly Desired[]): string {
  const stated = documents.map(({ address, stated: fields, manage }) =>
    stableJson([formatAddress(address), fields, { ...manage } as Json]),
  );
  return createHash("sha256").update(stated.toSorted().join("\n")).digest("hex");
}
