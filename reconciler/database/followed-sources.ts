import type { FollowedStore, SourceMemory } from "../sources/index.ts";
import type { Leases } from "./leases.ts";

/** The name under which workers keep what belongs to no source. */
const ofAll = "";
const fileName = "followed.json";

/** Keeps in the database which sources were declared, so that any worker knows it. */
export class DatabaseSources implements FollowedStore {
  readonly #leases: Pick<Leases, "query">;

  constructor(leases: Pick<Leases, "query">) {
    this.#leases = leases;
  }

  read(): Promise<string> {
    return this.#content(ofAll, fileName);
  }

  async write(content: string): Promise<void> {
    await this.#leases.query(
      `insert into infrasync.source_file (source, name, content) values ($1, $2, $3)
       on conflict (source, name) do update set content = excluded.content, written_at = now()`,
      [ofAll, fileName, content],
    );
  }

  memoryOf(source: string): Promise<string> {
    return this.#content(source, "state.json");
  }

  async memoriesBeside(source: string): Promise<SourceMemory[]> {
    const rows = await this.#leases.query<{ source: string; name: string; content: string }>(
      `select source, name, content from infrasync.source_file
       where source not in ($1, $2) and name in ('state.json', 'requests.json')`,
      [source, ofAll],
    );
    return [...Map.groupBy(rows, (row) => row.source)].map(([name, its]) => {
      const contentOf = (file: string) => its.find((row) => row.name === `${file}.json`)?.content ?? "";
      return { name, state: contentOf("state"), requests: contentOf("requests") };
    });
  }

  async #content(source: string, name: string): Promise<string> {
    const rows = await this.#leases.query<{ content: string }>(
      "select content from infrasync.source_file where source = $1 and name = $2",
      [source, name],
    );
    return rows[0]?.content ?? "";
  }
}
