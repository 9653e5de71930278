import { createHash } from "node:crypto";
import { isLock } from "../../adapters/database/index.ts";
import { type Claim, type Conflict, sourceOf, type StoredClaims } from "../sources/index.ts";
import type { Leases } from "./leases.ts";
import { lockOf } from "./lock-names.ts";

interface Answer {
  is_reported: boolean;
  conflicts: Conflict[] | null;
}

/** On this channel, PostgreSQL tells whoever listens that claims have changed. */
export const claimsChannel = "infrasync_claim";

/** What the sources of all workers want, in the database. */
export class DatabaseClaims implements StoredClaims {
  readonly #leases: Pick<Leases, "query" | "connection" | "epochOf">;
  /** The answers since the last change, by sources, with the connection that would have reported one. */
  #known = new Map<string, { digest: string; connection: unknown; conflicts: Conflict[] }>();

  constructor(leases: Pick<Leases, "query" | "connection" | "epochOf">) {
    this.#leases = leases;
  }

  changed(): void {
    this.#known = new Map();
  }

  /** @throws DatabaseError: nothing may be written while nobody knows what the others want */
  async claim(source: string, claim: Claim, isForWrite = false): Promise<readonly Conflict[]> {
    const { connection } = this.#leases;
    const desired = [source, claim.organization, [...claim.declared], [...claim.pruned]];
    const digest = createHash("sha256").update(JSON.stringify(desired)).digest("base64");
    const reported = this.#known.get(source);
    if (!isForWrite && connection && reported?.connection === connection && reported.digest === digest)
      return reported.conflicts;
    const known = this.#known;
    const conflicts = await this.#claim(source, claim);
    // A change meanwhile has started a new map.
    known.set(source, { digest, connection, conflicts });
    return conflicts;
  }

  async claimants(): Promise<readonly string[]> {
    const rows = await this.#leases.query<{ source: string }>("select distinct source from infrasync.claim");
    return rows.map(({ source }) => source);
  }

  async #claim(source: string, { organization, declared, pruned }: Claim): Promise<Conflict[]> {
    const keys = [...new Set([...declared, ...pruned])];
    const desired = [source, organization, keys, [...declared]];
    const [known] = await this.#conflicts(desired);
    if (known?.is_reported) return known.conflicts ?? [];
    const holder = sourceOf(source);
    const fence = "infrasync.fence($5, $6)";
    await this.#leases.query(
      `with gone as (
         delete from infrasync.claim where source = $1 and not (organization = $2 and key = any($3)) and ${fence}
       )
       insert into infrasync.claim as its (source, organization, key, is_pruned)
       select $1, $2, wanted.key, not (wanted.key = any($4)) from unnest($3::text[]) as wanted(key)
       where ${fence} and not exists (
         select 1 from infrasync.claim known where known.source = $1 and known.organization = $2
           and known.key = wanted.key and known.is_pruned = not (wanted.key = any($4))
       )
       on conflict (source, organization, key) do update set is_pruned = excluded.is_pruned
         where its.is_pruned <> excluded.is_pruned`,
      [...desired, holder, this.#leases.epochOf(holder)],
    );
    // Only now: of two workers that claim at the same time, one has to see the other.
    const [row] = await this.#conflicts(desired);
    return row?.conflicts ?? [];
  }

  /** Whether the database has just these claims of a source, and what others want of them. */
  #conflicts(desired: readonly unknown[]): Promise<Answer[]> {
    return this.#leases.query<Answer>(
      `with wanted as (
         select key, not (key = any($4::text[])) as is_pruned from unnest($3::text[]) as every(key)
       ),
       mine as (select organization, key, is_pruned from infrasync.claim where source = $1)
       select
         (select count(*) from mine) = cardinality($3::text[]) and not exists (
           select from wanted where not exists (
             select from mine
             where mine.organization = $2 and mine.key = wanted.key and mine.is_pruned = wanted.is_pruned
           )
         ) as is_reported,
         (select jsonb_agg(jsonb_build_object('key', mine.key, 'source', other.source, 'isPrunedHere', mine.is_pruned,
             'isPrunedThere', other.is_pruned))
           from mine
           join infrasync.claim other on other.organization = mine.organization and other.key = mine.key
           where other.source <> $1 and not (mine.is_pruned and other.is_pruned)) as conflicts`,
      desired,
    );
  }

  /** Those of a source that a worker has stay: that one may know newer documents. */
  async follow(claimants: readonly string[]): Promise<void> {
    await this.#leases.query(
      `delete from infrasync.claim where source in (
         select claimant from (
           select distinct source as claimant, regexp_replace(source, ' \\(previews\\)$', '') as holder from infrasync.claim
         ) as known
         where not (claimant = any($1))
           and (holder = any($1) or not exists (select from pg_locks where ${isLock(`'${lockOf("")}' || holder`)}))
       )`,
      [[...claimants]],
    );
  }
}
