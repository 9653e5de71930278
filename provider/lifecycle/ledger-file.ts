import {
  appendFileSync,
  closeSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { type Json, parsedJson } from "../../core/values/json.ts";
import { ownCacheFolder } from "../../core/files/own-folder.ts";
import { codeOf } from "../../core/values/error-code.ts";

/** A file of lines to which several processes append; without a file, the lines of this process alone. */
export class SharedLines {
  readonly #file: string | undefined;
  readonly #take: (line: Json | undefined) => void;
  #read = 0;
  /** Whether processes cannot see each other's lines. */
  isBlind = false;

  /** @param take gets each line, including those of this process; undefined: it is no JSON */
  constructor(file: string | undefined, take: (line: Json | undefined) => void) {
    this.#file = file;
    this.#take = take;
  }

  append(line: object): void {
    const text = JSON.stringify(line);
    if (this.#file === undefined) return this.#take(parsedJson(text));
    try {
      appendFileSync(this.#file, `${text}\n`, { mode: 0o600 });
    } catch {
      this.#take(parsedJson(text));
      this.isBlind = true;
    }
  }

  /** Reads the lines that were appended since. */
  read(): void {
    if (this.#file === undefined) return;
    let opened: number | undefined;
    try {
      opened = openSync(this.#file, "a+", 0o600);
      const { size } = fstatSync(opened);
      if (size <= this.#read) return;
      const bytes = Buffer.alloc(size - this.#read);
      readSync(opened, bytes, 0, bytes.length, this.#read);
      // The last line may be incomplete.
      const whole = bytes.subarray(0, bytes.lastIndexOf("\n") + 1);
      this.#read += whole.length;
      for (const text of whole.toString("utf8").split("\n")) if (text !== "") this.#take(parsedJson(text));
    } catch {
      this.isBlind = true;
    } finally {
      if (opened !== undefined) closeSync(opened);
    }
  }
}

/** A folder that only this user can write; undefined: there is none. */
export function cacheFolder(
  name: Parameters<typeof ownCacheFolder>[0],
  environment: NodeJS.ProcessEnv,
): string | undefined {
  return ownCacheFolder(name, environment["INFRASYNC_CACHE"] || undefined, environment, process.geteuid?.());
}

/** Milliseconds after which the ledger of a run is removed. */
const ledgerLife = 7 * 24 * 3_600_000;

/** The file of a run; undefined without a usable folder. @param address the engine's, which all its processes know */
export function ledgerFile(address: string, environment: NodeJS.ProcessEnv): string | undefined {
  const folder = cacheFolder("runs", environment);
  if (folder === undefined) return undefined;
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    const { mtimeMs: last } = statSync(file, { throwIfNoEntry: false }) ?? { mtimeMs: Infinity };
    if (Date.now() - last > ledgerLife) rmSync(file, { force: true });
  }
  return join(folder, `${address.replaceAll(/[^\w.]/g, "-")}.jsonl`);
}

/** Identifies a process, also among later ones with the same number. Default: this process. */
export function processToken(id = process.pid): string {
  try {
    // The name of the program, in parentheses, may contain spaces. Only Linux has this file; elsewhere, the number has
    // to suffice.
    return `${id} ${readFileSync(`/proc/${id}/stat`, "utf8").split(") ").at(-1)?.split(" ")[19] ?? ""}`;
  } catch {
    return `${id} `;
  }
}

/** Whether the process of that token still runs. */
export function isRunning(token: string): boolean {
  const id = Number(token.split(" ")[0]);
  try {
    process.kill(id, 0);
  } catch (error) {
    if (codeOf(error) !== "EPERM") return false;
  }
  return processToken(id) === token;
}
