import type { StoredDeleters } from "../sources/index.ts";
import type { Leases } from "./leases.ts";

/** Which source of all workers has deleted what, by the memories of the sources in the database. */
export function databaseDeleters(leases: Pick<Leases, "query">): StoredDeleters {
  return {
    async of(ids) {
      const rows = await leases.query<{ id: string; source: string }>(
        "select id, source from infrasync.deletion where id = any($1)",
        [[...ids]],
      );
      return new Map(rows.map(({ id, source }) => [id, source]));
    },
  };
}
