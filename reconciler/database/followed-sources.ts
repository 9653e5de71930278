import type { FollowedStore } from "../sources/index.ts";
import type { Leases } from "./leases.ts";

/** The name under which workers keep what belongs to no source. */
const ofAll = "";
const fileName = "followed.json";

/** Keeps in the database which sources were declared, so that any worker knows it. */
export function databaseSources(leases: Pick<Leases, "query">): FollowedStore {
  const contentOf = async (source: string, name: string) => {
    const [row] = await leases.query<{ content: string }>(
      "select content from infrasync.source_file where source = $1 and name = $2",
      [source, name],
    );
    return row?.content;
  };
  return {
    read: () => contentOf(ofAll, fileName),
    async write(content) {
      await leases.query(
        `insert into infrasync.source_file (source, name, content) values ($1, $2, $3)
         on conflict (source, name) do update set content = excluded.content, written_at = now()`,
        [ofAll, fileName, content],
      );
    },
    setAside: async (damage, unknown) =>
      `the list of followed sources in the database is damaged: ${damage}. So ${unknown}. It is written again.`,
    memoryOf: (source) => contentOf(source, "state.json"),
    async memoriesBeside(source) {
      const rows = await leases.query<{ source: string; name: string; content: string }>(
        `select source, name, content from infrasync.source_file
         where source not in ($1, $2) and name in ('state.json', 'requests.json')`,
        [source, ofAll],
      );
      return [...Map.groupBy(rows, (row) => row.source)].map(([name, its]) => {
        const contentIn = (file: string) => its.find((row) => row.name === `${file}.json`)?.content;
        return { name, place: "the database", state: contentIn("state"), requests: contentIn("requests") };
      });
    },
  };
}
