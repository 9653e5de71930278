import { constants, type Stats } from "node:fs";
import { lstat, open, readdir, unlink } from "node:fs/promises";
import { basename, join } from "node:path";
import type { PersistentText } from "../../../api/index.ts";
import { setAside, writeWhole } from "../../../files/files.ts";
import type { Fields } from "../../../values/json.ts";
import { CacheKey } from "./key.ts";

/** A list of parts as it was read. */
export interface CachedList {
  /** The id of the resource with this list, and the ids of its parents. */
  owner: string;
  above: readonly string[];
  /** When the request for it was sent, in milliseconds since 1970 by the clock of the server. */
  at: number;
  /** When the resource was last changed, as the list of its parent said. */
  changed: string;
  /** With hashes in the place of values. */
  entries: readonly Fields[];
  /** It was never read: the answers to the writes of a new resource had it. */
  isReported: boolean;
}

/** The cached lists. */
export interface CachedState {
  /** When the events were read that all lists have outlasted, by the clock of the server. */
  looked: number;
  /** The ids of these events. */
  known: ReadonlySet<string>;
  /** By the keys of the lists. */
  lists: Map<string, CachedList>;
  /** The runs that have written, by their signatures: lists from before their ends show what they have written until then. */
  runs: Map<string, CachedRun>;
}

/** A run that has written. */
export interface CachedRun {
  /** When its last write was over, by the clock of the server. */
  end: number;
  /** It has written nothing since; otherwise it may have been killed. */
  isOver: boolean;
  /** How long it has written, in milliseconds, and how many events that has at least. */
  lasted: number;
  events: number;
}

/** Where else the text of a file is: other machines find it there. It has no values, and whoever lacks the token can change nothing in it. */
export interface SharedFile {
  /** The text of a file; undefined if there is none. */
  read(name: string): Promise<string | undefined>;
  /** Puts a text in the place of that of a file. */
  write(name: string, text: string): Promise<void>;
}

/** What a cache file shares, and whom it tells of damage. */
export interface CacheSurroundings {
  /** A copy that other machines can read. */
  shared?: SharedFile | undefined;
  /** Gets the report of a damaged file. */
  onDamage?: ((report: string) => void) | undefined;
}

/** Another form has another number, so that no version believes the file of another. */
const form = 5;
/** More bytes than this are neither read nor written. */
const mostBytes = 64 * 1024 * 1024;
/** The age in milliseconds after which an unused file is deleted. */
const unused = 2 * 86_400_000;
const name = /^(?:(?:parts|pages)-[\w-]+\.json(\.[\w-]+\.tmp|\.damaged-\d+)?|creations-[\w-]+\.jsonl)$/;

/** The file of a server and an organization, for the token of the key. */
export function fileFor(folder: string, key: CacheKey, baseUrl: string, organizationId: string): string {
  return join(
    folder,
    `parts-${key.hash("name", JSON.stringify([form, baseUrl, organizationId.toLowerCase()]))}.json`,
  );
}

/** The content of a file, rather the shared one; undefined if it is missing, damaged, or of another version or token. */
export async function readCacheFile(
  file: string,
  key: CacheKey,
  { shared, onDamage }: CacheSurroundings = {},
): Promise<CachedState | undefined> {
  const decode = (text: string | undefined) => (text === undefined ? undefined : decoded(text, file, key));
  const ofAll = decode(await shared?.read(basename(file)).catch(() => undefined));
  return ofAll ?? readOrReport(decode, file, onDamage);
}

/** Reports a file that has no content to believe. */
async function readOrReport<Content>(
  decode: (text: string | undefined) => Content | undefined,
  file: string,
  onDamage: CacheSurroundings["onDamage"],
): Promise<Content | undefined> {
  const read = async () => decode(await readOwn(file).catch(() => undefined));
  const content = await read();
  if (content !== undefined || !(await lstat(file).catch(() => undefined))) return content;
  // Another process may have written it meanwhile.
  const again = await read();
  if (again === undefined)
    onDamage?.(await setAside(file, "nothing proves its content", "all of it is read again"));
  return again;
}

/** Writes a file, without the oldest lists where all are too many. */
export async function writeCacheFile(
  file: string,
  state: CachedState,
  key: CacheKey,
  shared?: SharedFile,
): Promise<void> {
  let { lists } = state;
  let text = encoded(state, file, key);
  while (Buffer.byteLength(text) > mostBytes) {
    const newest = [...lists].toSorted(([, one], [, other]) => other.at - one.at);
    lists = new Map(newest.slice(0, Math.floor(newest.length / 2)));
    text = encoded({ ...state, lists }, file, key);
  }
  await shared?.write(basename(file), text).catch(() => undefined);
  await writeOwn(file, text);
}

/** Where it is cached how a server pages its lists, for the token that proves who has written it. */
export function cachedPages(
  folder: string,
  { token, baseUrl }: { token: string; baseUrl: string },
  onDamage?: CacheSurroundings["onDamage"],
): PersistentText {
  const key = new CacheKey(token);
  const file = join(folder, `pages-${key.hash("name", JSON.stringify([form, baseUrl]))}.json`);
  return {
    read: async () => readOrReport((text) => provenIn(text, file, key), file, onDamage),
    write: (text) => writeOwn(file, proven(text, file, key)),
  };
}

async function writeOwn(file: string, text: string): Promise<void> {
  // A link would lead elsewhere, and the file of another user would stay of that user.
  if (!isOwn(await lstat(file).catch(() => undefined))) await unlink(file).catch(() => undefined);
  await writeWhole(file, text, 0o600);
}

/** Deletes the files of a folder that nobody has used for long, or all of them. Returns how many. */
export async function clearCacheFiles(folder: string, now = Infinity): Promise<number> {
  const names = (await readdir(folder).catch(() => [])).filter((each) => name.test(each));
  const deleted = await Promise.all(
    names.map(async (each) => {
      const file = join(folder, each);
      try {
        if (now - (await lstat(file)).mtimeMs < unused) return 0;
        await unlink(file);
        return each.endsWith(".json") ? 1 : 0;
      } catch {
        // Another process has deleted it.
        return 0;
      }
    }),
  );
  return deleted.reduce<number>((sum, each) => sum + each, 0);
}

async function readOwn(file: string): Promise<string | undefined> {
  // Without waiting for the writer of a pipe.
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = await handle.stat();
    return isOwn(stats) && stats.size <= mostBytes ? await handle.readFile("utf8") : undefined;
  } finally {
    await handle.close();
  }
}

/** Whether something is a file of this user; undefined if there is nothing. */
function isOwn(stats: Stats | undefined): boolean {
  const user = process.geteuid?.();
  return stats?.isFile() === true && (user === undefined || stats.uid === user);
}

/** One line of JSON, with its proof. Entries that several lists show are there once. */
function encoded({ looked, known, lists, runs }: CachedState, file: string, key: CacheKey): string {
  const texts = new Map<string, number>();
  const indices = new Map<Fields, number>();
  const indexOf = (entry: Fields): number => {
    const text = indices.has(entry) ? "" : JSON.stringify(entry);
    const index = indices.get(entry) ?? texts.get(text) ?? texts.size;
    if (!indices.has(entry)) texts.set(text, index);
    indices.set(entry, index);
    return index;
  };
  const written = [...lists].map(([place, list]) => [place, { ...list, entries: list.entries.map(indexOf) }]);
  const state = JSON.stringify({ looked, known: [...known], runs: [...runs], lists: written });
  return proven(`${state.slice(0, -1)},"entries":[${[...texts.keys()].join(",")}]}`, file, key);
}

/** A line, and one that proves who has written it. */
function proven(text: string, file: string, key: CacheKey): string {
  return `${text}\n${proofOf(text, file, key)}\n`;
}

function provenIn(text: string | undefined, file: string, key: CacheKey): string | undefined {
  const [line = "", proof, rest] = text?.split("\n") ?? [];
  return rest === "" && proof === proofOf(line, file, key) ? line : undefined;
}

/** A file proves nothing under the name of another server or organization. */
function proofOf(text: string, file: string, key: CacheKey): string {
  return key.hash("store", `${basename(file)}\n${text}`);
}

function decoded(text: string, file: string, key: CacheKey): CachedState | undefined {
  const body = provenIn(text, file, key);
  // Whoever can make the proof has the token, and so this form.
  if (body === undefined) return undefined;
  const { looked, known, runs, lists, entries } = JSON.parse(body) as {
    looked: number;
    known: string[];
    runs: [string, CachedRun][];
    lists: [place: string, list: Omit<CachedList, "entries"> & { entries: number[] }][];
    entries: Fields[];
  };
  const whole = lists.map(([place, list]): [string, CachedList] => [
    place,
    { ...list, entries: list.entries.flatMap((index) => [entries[index] ?? {}]) },
  ]);
  return { looked, known: new Set(known), runs: new Map(runs), lists: new Map(whole) };
}
