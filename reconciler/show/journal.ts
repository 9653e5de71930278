import { readFile, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder, writeWhole } from "../../core/files.ts";
import { isFields, type Json, textIn } from "../../core/json.ts";
import { allActionTypes } from "../../core/plan/index.ts";
import type { Change } from "../decide/index.ts";

/** Something that has changed. */
export interface JournalEntry {
  /** Grows with each entry. */
  id: number;
  /** Milliseconds since 1970. */
  at: number;
  level: "info" | "warn" | "error";
  message: string;
  commit?: string | undefined;
  /** What was done, and where: `2 created, 1 updated in shop/production`. */
  done?: readonly string[];
  /** What people have asked for, and the first mistakes. */
  what: readonly string[];
  /** The drift that was set back: what it was, and who had made it. */
  setBack?: readonly SetBack[];
  /** Whether there is a document that shows what was carried out. */
  hasPlan: boolean;
}

/** A change of somebody else that was set back. */
export interface SetBack extends Pick<Change, "action" | "address" | "cause" | "fields" | "by"> {}

const mostEntries = 500;
const mostPlans = 100;

/** The changes, the newest last: in memory, and in a folder, where it may be lost at any time. */
export class Journal {
  readonly #folder: string;
  readonly #failed: (error: unknown) => void;
  #entries: JournalEntry[] = [];

  /** @param failed is told when the folder cannot be written; the journal then lives in memory alone */
  constructor(folder: string, failed: (error: unknown) => void) {
    this.#folder = folder;
    this.#failed = failed;
  }

  /** Reads what an earlier process has kept. What is damaged is left out. */
  async open(): Promise<void> {
    const content = await readFile(join(this.#folder, "journal.jsonl"), "utf8").catch(() => "");
    this.#entries = content.split("\n").flatMap((line) => entryIn(line) ?? []);
  }

  /** The newest first. */
  entries(): readonly JournalEntry[] {
    return this.#entries.toReversed();
  }

  /** @param plan a document that shows what was carried out */
  async add(entry: Omit<JournalEntry, "id" | "hasPlan">, plan?: string): Promise<void> {
    const id = (this.#entries.at(-1)?.id ?? 0) + 1;
    this.#entries = [...this.#entries, { ...entry, id, hasPlan: plan !== undefined }].slice(-mostEntries);
    try {
      await makeFolder(join(this.#folder, "plans"));
      if (plan !== undefined) await writeWhole(this.#fileOf(id), plan);
      const oldest = this.#entries.filter(({ hasPlan }) => hasPlan).at(-mostPlans)?.id ?? 0;
      for (const name of await readdir(join(this.#folder, "plans")))
        if (Number.parseInt(name, 10) < oldest) await rm(join(this.#folder, "plans", name), { force: true });
      const lines = this.#entries.map((each) => `${JSON.stringify(each)}\n`);
      await writeWhole(join(this.#folder, "journal.jsonl"), lines.join(""));
    } catch (error) {
      this.#failed(error);
    }
  }

  /** What was carried out in an entry, as text; undefined when there is none any more. */
  async plan(id: number): Promise<string | undefined> {
    return readFile(this.#fileOf(id), "utf8").catch(() => undefined);
  }

  #fileOf(id: number): string {
    return join(this.#folder, "plans", `${id}.txt`);
  }
}

function setBackIn(entry: Json): SetBack[] {
  if (!isFields(entry)) return [];
  const [address, by] = [textIn(entry, "address"), textIn(entry, "by")];
  const action = allActionTypes.find((type) => type === entry["action"]);
  const { fields } = entry;
  if (address === undefined || action === undefined) return [];
  return [
    {
      action,
      address,
      cause: "drift",
      ...(Array.isArray(fields) && { fields: fields.filter((field) => typeof field === "string") }),
      by,
    },
  ];
}

function entryIn(line: string): JournalEntry | undefined {
  try {
    const entry: unknown = JSON.parse(line);
    if (!isFields(entry)) return undefined;
    const { id, at, what, done } = entry;
    const [level, message, commit] = ["level", "message", "commit"].map((member) => textIn(entry, member));
    if (typeof id !== "number" || typeof at !== "number" || message === undefined) return undefined;
    return {
      id,
      at,
      level: level === "warn" || level === "error" ? level : "info",
      message,
      what: textsIn(what),
      ...(done !== undefined && { done: textsIn(done) }),
      hasPlan: entry["hasPlan"] === true,
      ...(Array.isArray(entry["setBack"]) && { setBack: entry["setBack"].flatMap(setBackIn) }),
      commit,
    };
  } catch {
    return undefined;
  }
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}
