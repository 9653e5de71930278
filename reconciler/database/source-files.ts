import { readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder, readIfThere, writeWhole } from "../../core/files/files.ts";
import { DatabaseError, lockKey } from "../../adapters/database/index.ts";
import type { Lease, Leases } from "./leases.ts";
import { lockOf } from "./lock-names.ts";

/** The patterns of the files with the memory of a source; the copy of the repository can be fetched again. */
const storedNames = /\.(?:json|jsonl|yaml|html)$/;
/** Counts the times that something was stored: in the database, and beside the files, where it is what this machine has seen. */
const generationName = "generation";
/** What looks have cost: the ledger of the token knows that too. */
const quotaName = "quota.json";
/** In the database: the newest state that a worker has seen, while the database has an older one. */
const disputeName = "dispute";
/** A person makes this file to have a machine go on with what it knows, although the database knows less. */
const acceptedName = "older-database-accepted";
/** The largest file that is stored, in bytes. */
const mostBytes = 16 * 1024 * 1024;

interface StoredFile {
  name: string;
  content: string;
}

/** Gives a source its files under the old name, unless it has its own. @throws DatabaseError while a worker works under that name */
export async function renameFiles(leases: Pick<Leases, "query">, from: string, to: string): Promise<void> {
  const [row] = await leases.query<{ is_free: boolean }>(
    `with free as materialized (select pg_try_advisory_xact_lock(${lockKey("$3::text")}) as is_free),
       moved as (
         update infrasync.source_file set source = $2 where source = $1 and (select is_free from free)
         and not exists (select 1 from infrasync.source_file where source = $2)
       )
     select is_free from free`,
    [from, to, lockOf(from)],
  );
  if (row?.is_free !== true)
    throw new DatabaseError(
      `a worker still works on ${from}, and ${to} takes its state`,
      "do nothing: the state moves when that worker has read the documents",
    );
}

/** Keeps the data folder of a source in the database, so that another worker can go on. Only who has the lease writes. */
export class SourceFiles {
  readonly #lease: Pick<Lease, "query" | "join" | "nextBeat" | "epoch">;
  readonly #source: string;
  readonly #folder: string;
  /** The time and the size of each file as it was stored. */
  readonly #stored = new Map<string, string>();
  #saving: Promise<void> = Promise.resolve();
  #generation = 0;

  constructor(lease: Pick<Lease, "query" | "join" | "nextBeat" | "epoch">, source: string, folder: string) {
    this.#lease = lease;
    this.#source = source;
    this.#folder = folder;
  }

  /**
   * Writes the stored files into the folder, in place of those of an earlier lease of this machine.
   *
   * @throws DatabaseError where this machine has seen a newer state than the database has: a fail-over or a backup has taken the
   *   database back. Nothing is forgotten, and nothing is applied, until somebody confirms that
   */
  async restore(): Promise<void> {
    await makeFolder(this.#folder, 0o700);
    const rows = await this.#lease.query<{ name: string; content: string }>(
      "select name, content from infrasync.source_file where source = $1",
      [this.#source],
    );
    const numberIn = (name: string) => this.#numberIn(rows.find((row) => row.name === name)?.content);
    const [stored, seen] = [numberIn(generationName), await this.#seen()];
    const newest = Math.max(stored, seen, numberIn(disputeName));
    this.#generation = newest;
    // A source that was synced without a database brings its files along.
    if (rows.length === 0) return;
    if (stored < newest) {
      await this.#refuseUnconfirmed(stored, newest);
      // Files that this machine lacks are removed from the database.
      for (const { name } of rows) if (name !== generationName) this.#stored.set(name, "");
      if (seen > stored) {
        await this.save();
        await rm(this.#accepted, { force: true });
        return;
      }
    }
    for (const name of await this.#names()) await rm(join(this.#folder, name), { force: true });
    for (const { name, content } of rows) {
      if (name === generationName || name === disputeName) continue;
      await makeFolder(join(this.#folder, name, ".."));
      await writeWhole(join(this.#folder, name), content, 0o600);
      const version = await this.#versionOf(name);
      if (version !== undefined) this.#stored.set(name, version);
    }
    await this.#record();
    await this.save();
    await rm(this.#accepted, { force: true });
  }

  /** Refuses a database that has gone back in time, for all workers, until somebody confirms that. */
  async #refuseUnconfirmed(stored: number, newest: number): Promise<void> {
    if (await stat(this.#accepted).catch(() => undefined)) return;
    // The next worker, which may know less, refuses it too.
    await this.#put([{ name: disputeName, content: String(newest) }]);
    throw new DatabaseError(
      `the database has gone back in time: it has state ${stored} of the source ${this.#source}, and a worker has seen state ${newest}, with pauses, approvals and deletions that the database may lack; nothing is applied`,
      `bring the database up to date, or create the file ${this.#accepted} on the machine that has seen the newest state, to go on with what that machine knows`,
    );
  }

  get #accepted(): string {
    return join(this.#folder, acceptedName);
  }

  /** The newest state of the source that this machine has seen. */
  async #seen(): Promise<number> {
    return this.#numberIn(await readIfThere(join(this.#folder, generationName)));
  }

  /** @param text undefined: there was no state yet. @throws DatabaseError for another text than a number: a newer state must not be forgotten */
  #numberIn(text = "0"): number {
    if (/^\d{1,15}$/.test(text)) return Number(text);
    throw new DatabaseError(
      `the number of the newest state of the source ${this.#source} is damaged, so nobody knows whether the database has gone back in time; nothing is applied`,
      `delete ${join(this.#folder, generationName)} to go on with what the database has`,
    );
  }

  async #record(): Promise<void> {
    await writeWhole(join(this.#folder, generationName), String(this.#generation), 0o600);
  }

  /** Keeps what has changed. @throws DatabaseError: nothing was stored */
  save(how: "query" | "join" = "query"): Promise<void> {
    const saving = this.#saving.then(() => this.#save(how));
    this.#saving = saving.catch(() => undefined);
    return saving;
  }

  /** Keeps what has changed: the requests of a refresh with the next heartbeat of the worker, and anything else at once. */
  async saveAfterRefresh(): Promise<void> {
    const versions = await this.#changed(await this.#names());
    if (![...versions.keys()].every((name) => name === quotaName)) return this.save();
    await this.#lease.nextBeat();
    return this.save("join");
  }

  async #changed(names: readonly string[]): Promise<Map<string, string>> {
    const found = await Promise.all(names.map(async (name) => [name, await this.#versionOf(name)] as const));
    return new Map(
      found.flatMap(([name, version]) =>
        version === undefined || version === this.#stored.get(name) ? [] : [[name, version]],
      ),
    );
  }

  async #save(how: "query" | "join"): Promise<void> {
    const names = await this.#names();
    const versions = await this.#changed(names);
    const changed: StoredFile[] = [];
    for (const name of versions.keys())
      changed.push({ name, content: await readFile(join(this.#folder, name), "utf8") });
    const gone = [...this.#stored.keys()].filter((name) => !names.includes(name));
    for (const name of gone) {
      await this.#lease.query(
        "delete from infrasync.source_file where source = $1 and name = $2 and infrasync.fence($1, $3)",
        [this.#source, name, this.#lease.epoch],
      );
      this.#stored.delete(name);
    }
    if (changed.length + gone.length === 0) return;
    await this.#put([...changed, { name: generationName, content: String(this.#generation + 1) }], how);
    for (const [name, version] of versions) this.#stored.set(name, version);
    this.#generation += 1;
    await this.#record();
  }

  /** Keeps files together, or none of them. */
  async #put(files: readonly StoredFile[], how: "query" | "join" = "query"): Promise<void> {
    await this.#lease[how](
      `insert into infrasync.source_file (source, name, content)
       select $1, name, content from jsonb_to_recordset($2::jsonb) as file(name text, content text)
       where infrasync.fence($1, $3)
       on conflict (source, name) do update set content = excluded.content, written_at = now()`,
      [this.#source, JSON.stringify(files), this.#lease.epoch],
    );
  }

  async #names(): Promise<string[]> {
    const entries = await readdir(this.#folder, { withFileTypes: true, recursive: false });
    const inside = await Promise.all(
      entries.map(async (entry) => {
        if (entry.isFile()) return [entry.name];
        if (!entry.isDirectory() || entry.name === "repository.git" || entry.name === "control") return [];
        const below = await readdir(join(this.#folder, entry.name), { withFileTypes: true });
        return below.filter((each) => each.isFile()).map((each) => `${entry.name}/${each.name}`);
      }),
    );
    return inside.flat().filter((name) => storedNames.test(name));
  }

  /** Changes with each change of a file; undefined if it is not stored. */
  async #versionOf(name: string): Promise<string | undefined> {
    const stats = await stat(join(this.#folder, name)).catch(() => undefined);
    return stats && stats.size <= mostBytes ? `${stats.mtimeMs} ${stats.size} ${stats.ino}` : undefined;
  }
}
