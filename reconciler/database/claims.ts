import type { Claim, Conflict, StoredClaims } from "../sources/index.ts";
import type { Leases } from "./leases.ts";

/** What the sources of all workers want, in the database. It is written on the connection of the locks. */
export class DatabaseClaims implements StoredClaims {
  readonly #leases: Pick<Leases, "query">;

  constructor(leases: Pick<Leases, "query">) {
    this.#leases = leases;
  }

  /** @throws DatabaseError: nothing may be written while nobody knows what the others want */
  async claim(source: string, { organization, described, pruned }: Claim): Promise<Conflict[]> {
    const keys = [...new Set([...described, ...pruned])];
    await this.#leases.query(
      `with gone as (delete from infrasync.claim where source = $1 and not (organization = $2 and key = any($3)))
       insert into infrasync.claim as its (source, organization, key, is_pruned)
       select $1, $2, wanted.key, not (wanted.key = any($4)) from unnest($3::text[]) as wanted(key)
       where not exists (
         select 1 from infrasync.claim known where known.source = $1 and known.organization = $2
           and known.key = wanted.key and known.is_pruned = not (wanted.key = any($4))
       )
       on conflict (source, organization, key) do update set is_pruned = excluded.is_pruned
         where its.is_pruned <> excluded.is_pruned`,
      [source, organization, keys, [...described]],
    );
    const rows = await this.#leases.query<{ key: string; source: string; here: boolean; there: boolean }>(
      `select mine.key, other.source, mine.is_pruned as here, other.is_pruned as there
       from infrasync.claim mine
       join infrasync.claim other on other.organization = mine.organization and other.key = mine.key
       where mine.source = $1 and other.source <> $1 and not (mine.is_pruned and other.is_pruned)`,
      [source],
    );
    return rows.map(({ key, source: other, here, there }) => ({
      key,
      source: other,
      isPrunedHere: here,
      isPrunedThere: there,
    }));
  }

  async follow(names: readonly string[]): Promise<void> {
    await this.#leases.query("delete from infrasync.claim where not (source = any($1))", [[...names]]);
  }
}
