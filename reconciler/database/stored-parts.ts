import type { SharedFile } from "../../core/state/live/index.ts";
import type { Lease } from "./leases.ts";

/** More characters than this would hold the connection of the locks up: another worker reads such parts again. */
const most = 16 * 1024 * 1024;

/** Keeps in the database what a worker has read of the parts of a source, without values, so that another one need not read it again. */
export class StoredParts implements SharedFile {
  readonly #lease: Pick<Lease, "query" | "epoch">;
  readonly #source: string;

  constructor(lease: Pick<Lease, "query" | "epoch">, source: string) {
    this.#lease = lease;
    this.#source = source;
  }

  async read(name: string): Promise<string | undefined> {
    const rows = await this.#lease.query<{ content: string }>(
      "select content from infrasync.kept_parts where source = $1 and name = $2",
      [this.#source, name],
    );
    return rows[0]?.content;
  }

  async write(name: string, text: string): Promise<void> {
    if (text.length > most) return;
    await this.#lease.query(
      `insert into infrasync.kept_parts (source, name, content) select $1, $2, $3 where infrasync.fence($1, $4)
       on conflict (source, name) do update set content = excluded.content, written_at = now()`,
      [this.#source, name, text, this.#lease.epoch],
    );
  }
}
