import { createHash } from "node:crypto";
import { chmod, readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { makeFolder, writeWhole } from "../../core/files.ts";
import { isFields } from "../../core/json.ts";

/** A name of a live resource, or of the organization. */
export interface KnownName {
  /** `job`; of the organization: `organization`. */
  kind: string;
  name: string;
  id: string;
}

/** The names in lists, and when each list was read. */
type Lists = Record<string, { at: number; names: KnownName[] }>;

/** For how many milliseconds names count. */
const lifetime = 60_000;

/**
 * The names that completions have read, for a minute: in a file that only its owner can read, one for each server and
 * token. The name of the file is a digest, so it does not tell the token.
 */
export class CompletionCache {
  readonly #folder: string;
  readonly #file: string;
  readonly #now: number;
  #lists: Lists = {};

  private constructor(folder: string, file: string, now: number) {
    this.#folder = folder;
    this.#file = file;
    this.#now = now;
  }

  /** Opens the cache of a server and a token. A cache that cannot be read is empty. */
  static async open(
    env: Readonly<Record<string, string | undefined>>,
    {
      baseUrl,
      token,
      organization = "",
    }: { baseUrl: string; token: string; organization?: string | undefined },
    now: number,
  ): Promise<CompletionCache> {
    const folder = join(env["XDG_CACHE_HOME"] || join(env["HOME"] || homedir(), ".cache"), "infrasync");
    const digest = createHash("sha256")
      .update(JSON.stringify([baseUrl, organization, token]))
      .digest("hex");
    const cache = new CompletionCache(folder, join(folder, `completion-${digest.slice(0, 32)}.json`), now);
    try {
      const read: unknown = JSON.parse(await readFile(cache.#file, "utf8"));
      if (isFields(read)) cache.#lists = read as unknown as Lists;
    } catch {
      // There is none yet, or somebody has damaged it.
    }
    return cache;
  }

  /** The names in a list; undefined: they have to be read. */
  get(list: string): KnownName[] | undefined {
    const known = Object.hasOwn(this.#lists, list) ? this.#lists[list] : undefined;
    const age = known ? this.#now - known.at : Infinity;
    return known && age >= 0 && age < lifetime && Array.isArray(known.names) ? known.names : undefined;
  }

  /** Keeps the names of a list, and writes the file. */
  async keep(list: string, names: KnownName[]): Promise<void> {
    this.#lists = Object.fromEntries(Object.entries(this.#lists).filter(([name]) => this.get(name)));
    this.#lists[list] = { at: this.#now, names };
    await makeFolder(this.#folder, 0o700);
    await writeWhole(this.#file, JSON.stringify(this.#lists), 0o600);
    await chmod(this.#file, 0o600);
  }
}
