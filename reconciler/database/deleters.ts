import type { StoredDeleters } from "../sources/index.ts";
import type { Leases } from "./leases.ts";

/** Which source of all workers has deleted what, by the memories of the sources in the database. */
export class DatabaseDeleters implements StoredDeleters {
  readonly #leases: Pick<Leases, "query">;

  constructor(leases: Pick<Leases, "query">) {
    this.#leases = leases;
  }

  /** @throws DatabaseError */
  async of(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = await this.#leases.query<{ id: string; source: string }>(
      "select id, source from infrasync.deletion where id = any($1)",
      [[...ids]],
    );
    return new Map(rows.map(({ id, source }) => [id, source]));
  }
}
