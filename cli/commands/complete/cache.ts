import { readFileSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { makeFolder, writeWhole } from "../../../core/files/files.ts";
import { isFields, type Json } from "../../../core/values/json.ts";

/** A name of a live resource, or of the organization. */
export interface KnownName {
  /** `job`; of the organization: `organization`. */
  kind: string;
  name: string;
  id: string;
}

type Lists = Record<string, { at: number; names: KnownName[] }>;

/** The milliseconds for which names are valid. */
const lifetime = 60_000;

/** The names that completions have read, for a minute, in a file for each server and token that only its owner can read. */
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

  /** Opens the cache of a server and a token. An unreadable cache is empty. */
  static open(
    env: Readonly<Record<string, string | undefined>>,
    {
      baseUrl,
      token,
      organization = "",
    }: { baseUrl: string; token: string; organization?: string | undefined },
    now: number,
  ): CompletionCache {
    const folder = join(env["XDG_CACHE_HOME"] || join(env["HOME"] || homedir(), ".cache"), "infrasync");
    const number = numberOf(JSON.stringify([baseUrl, organization, token]));
    const cache = new CompletionCache(folder, join(folder, `completion-${number}.json`), now);
    try {
      const read = JSON.parse(readFileSync(cache.#file, "utf8")) as Json;
      if (isLists(read)) cache.#lists = read;
    } catch {
      // It does not exist yet, or is damaged.
    }
    return cache;
  }

  /** Undefined: the list has to be read. */
  get(list: string): KnownName[] | undefined {
    const known = Object.hasOwn(this.#lists, list) ? this.#lists[list] : undefined;
    const age = known ? this.#now - known.at : Infinity;
    return known && age >= 0 && age < lifetime ? known?.names : undefined;
  }

  async keep(list: string, names: KnownName[]): Promise<void> {
    this.#lists = Object.fromEntries(Object.entries(this.#lists).filter(([name]) => this.get(name)));
    this.#lists[list] = { at: this.#now, names };
    await makeFolder(this.#folder, 0o700);
    await writeWhole(this.#file, JSON.stringify(this.#lists), 0o600);
    await chmod(this.#file, 0o600);
  }
}

/** Checks the form of lists without a library, whose loading would take as long as the completion. */
function isLists(read: Json): read is Json & Lists {
  const isName = (each: Json) =>
    isFields(each) && [each["kind"], each["name"], each["id"]].every((text) => typeof text === "string");
  return (
    isFields(read) &&
    Object.values(read).every(
      (list) =>
        isFields(list) &&
        typeof list["at"] === "number" &&
        Array.isArray(list["names"]) &&
        list["names"].every(isName),
    )
  );
}

/** A number for a text (FNV-1a), because loading cryptography would take a fifth of a bare start with each press of Tab. */
function numberOf(text: string): number {
  let number = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    number = Math.imul(number ^ text.charCodeAt(index), 0x01000193);
  return number >>> 0;
}
