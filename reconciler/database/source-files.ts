import { readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder, writeWhole } from "../../core/files.ts";
import type { Leases } from "./leases.ts";

/** The patterns of the files with the memory of a source; the copy of the repository can be fetched again. */
const remembered = /\.(?:json|jsonl|yaml|html)$/;
/** The largest file that is kept, in bytes. */
const mostBytes = 16 * 1024 * 1024;

/**
 * Keeps in the database what a worker remembers of a source, so that another one can go on: the files of its data folder, as
 * they are. They are written on the connection of the locks, so a worker that has lost its right writes nothing.
 */
export class SourceFiles {
  readonly #leases: Pick<Leases, "query">;
  readonly #source: string;
  readonly #folder: string;
  /** The time and the size of each file as it was kept. */
  readonly #kept = new Map<string, string>();
  #saving: Promise<void> = Promise.resolve();

  constructor(leases: Pick<Leases, "query">, source: string, folder: string) {
    this.#leases = leases;
    this.#source = source;
    this.#folder = folder;
  }

  /** Puts what is remembered into the folder, in the place of what an earlier work of this machine has left there. */
  async restore(): Promise<void> {
    await makeFolder(this.#folder, 0o700);
    const rows = await this.#leases.query<{ name: string; content: string }>(
      "select name, content from infrasync.source_file where source = $1",
      [this.#source],
    );
    // A source that has been kept in step without a database brings its files along.
    if (rows.length === 0) return;
    for (const name of await this.#names()) await rm(join(this.#folder, name), { force: true });
    for (const { name, content } of rows) {
      await makeFolder(join(this.#folder, name, ".."));
      await writeWhole(join(this.#folder, name), content, 0o600);
      const mark = await this.#markOf(name);
      if (mark !== undefined) this.#kept.set(name, mark);
    }
  }

  /** Keeps what has changed. @throws DatabaseError: nothing was kept */
  save(): Promise<void> {
    const saving = this.#saving.then(() => this.#save());
    this.#saving = saving.catch(() => undefined);
    return saving;
  }

  async #save(): Promise<void> {
    const names = await this.#names();
    for (const name of names) {
      const mark = await this.#markOf(name);
      if (mark === undefined || mark === this.#kept.get(name)) continue;
      const content = await readFile(join(this.#folder, name), "utf8");
      await this.#leases.query(
        `insert into infrasync.source_file (source, name, content) values ($1, $2, $3)
         on conflict (source, name) do update set content = excluded.content, written_at = now()`,
        [this.#source, name, content],
      );
      this.#kept.set(name, mark);
    }
    for (const name of this.#kept.keys()) {
      if (names.includes(name)) continue;
      await this.#leases.query("delete from infrasync.source_file where source = $1 and name = $2", [
        this.#source,
        name,
      ]);
      this.#kept.delete(name);
    }
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
    return inside.flat().filter((name) => remembered.test(name));
  }

  /** Changes with each change of a file; undefined if it is not kept. */
  async #markOf(name: string): Promise<string | undefined> {
    const stats = await stat(join(this.#folder, name)).catch(() => undefined);
    return stats && stats.size <= mostBytes ? `${stats.mtimeMs} ${stats.size} ${stats.ino}` : undefined;
  }
}
