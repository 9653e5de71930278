import type { SharedFile } from "../../core/state/live/index.ts";
import type { Lease } from "./leases.ts";

/** More characters than this would hold the connection of the locks up: another worker reads such parts again. */
const most = 16 * 1024 * 1024;

/** Keeps in the database what a worker has read of the parts of a source, without values, so that another one need not read it again. */
export function storedParts({ query, epoch }: Pick<Lease, "query" | "epoch">, source: string): SharedFile {
  return {
    async read(name) {
      const [row] = await query<{ content: string }>(
        "select content from infrasync.kept_parts where source = $1 and name = $2",
        [source, name],
      );
      return row?.content;
    },
    async write(name, text) {
      if (text.length > most) return;
      await query(
        `insert into infrasync.kept_parts (source, name, content) select $1, $2, $3 where infrasync.fence($1, $4)
         on conflict (source, name) do update set content = excluded.content, written_at = now()`,
        [source, name, text, epoch],
      );
    },
  };
}
