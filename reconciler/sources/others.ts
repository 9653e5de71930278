import { type Claim, previewsOf, type SourceClaims } from "./claims.ts";
import type { Deleters } from "./deleters.ts";
import type { SourceMemory } from "./followed-store.ts";

/** The other sources of a service, as one of them knows them. */
export type OtherSources = ReturnType<typeof othersOf>;

/** @param memories what all others remember */
export function othersOf(
  source: string,
  claims: SourceClaims,
  deleters: Deleters,
  memories: () => Promise<readonly SourceMemory[]>,
) {
  return {
    claim: (claim: Claim, isForWrite?: boolean) => claims.claim(source, claim, isForWrite),
    claimPreviews: (claim: Claim) => claims.claim(previewsOf(source), claim),
    looked: () => claims.looked(source),
    settled: () => claims.settled(),
    deletes: (ids: readonly string[]) => deleters.note(source, ids),
    deletersOf: (ids: readonly string[]) => deleters.others(source, ids),
    memories,
  };
}
