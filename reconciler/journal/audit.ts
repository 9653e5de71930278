import { appendFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makeFolder, readIfThere, statFile } from "../../core/files/files.ts";
import { readStoredLines } from "../../core/files/stored-form.ts";
import { refusal } from "../../core/problems/problem.ts";
import type { Clock } from "../../core/api/index.ts";
import { type AuditTrail, type PersonEntry, personMembers } from "../requests/index.ts";
import { entryForm, type JournalEntry } from "./entry.ts";

const mostShown = 200;

/** What people have done, in a file of the data folder to which lines are only added. */
export class Audit implements AuditTrail {
  readonly #file: string;
  readonly #clock: Pick<Clock, "now">;
  #last = 0;

  /** @param folder the data folder */
  constructor(folder: string, clock: Pick<Clock, "now">) {
    this.#file = join(folder, "audit.jsonl");
    this.#clock = clock;
  }

  async add(entry: PersonEntry): Promise<void> {
    const at = this.#clock.now();
    this.#last = Math.max(at, this.#last + 1);
    const line: JournalEntry = { ...entry, at, id: this.#last };
    try {
      await makeFolder(dirname(this.#file));
      // A broken link would make a file where its folder is not mounted.
      await statFile(this.#file);
      await appendFile(this.#file, `${JSON.stringify(line)}\n`, { mode: 0o600, flush: true });
    } catch (error) {
      const { message } = error as Error;
      throw refusal("unwritable", `${this.#file} cannot be written: ${message}`, "make it a writable file");
    }
  }

  async newest(): ReturnType<AuditTrail["newest"]> {
    const content = (await readIfThere(this.#file)) ?? "";
    const newest = content.trimEnd().split("\n").slice(-mostShown);
    const { entries, damaged } = readStoredLines(entryForm, newest.join("\n"));
    return { entries: entries.filter(isOfPerson).toReversed(), damaged };
  }
}

function isOfPerson(entry: JournalEntry): entry is JournalEntry & PersonEntry {
  return Object.hasOwn(personMembers, entry.type);
}
