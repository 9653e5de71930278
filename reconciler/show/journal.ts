import { readFile, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder, writeWhole } from "../../core/files/files.ts";
import Type from "typebox";
import { form, optional } from "../../core/outputs/forms/forms.ts";
import { readStoredLines, type StoredForm } from "../../core/files/stored-form.ts";
import { changeForm } from "../decide/index.ts";

/** A change of somebody else that was set back. */
const setBackForm = Type.Pick(changeForm, ["action", "address", "cause", "fields", "by"]);

const entryForm = form({
  /** Grows with each entry. */
  id: Type.Number(),
  /** Milliseconds since 1970. */
  at: Type.Number(),
  level: Type.Union([Type.Literal("info"), Type.Literal("warn"), Type.Literal("error")]),
  message: Type.String(),
  commit: optional(Type.String()),
  /** What was done, and where: `2 created, 1 updated in shop/production`. */
  done: optional(Type.Array(Type.String())),
  /** What people have asked for, and the first mistakes. */
  what: Type.Array(Type.String()),
  /** The drift that was set back: what it was, and who had made it. */
  setBack: optional(Type.Array(setBackForm)),
  /** Whether there is a document that shows what was carried out. */
  hasPlan: Type.Boolean(),
});

/** Something that has changed. */
export type JournalEntry = StoredForm<typeof entryForm>;

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

  /** Reads what an earlier process has kept. Gives how many entries are damaged: those are left out. */
  async open(): Promise<number> {
    const content = await readFile(join(this.#folder, "journal.jsonl"), "utf8").catch(() => "");
    const { entries, damaged } = readStoredLines(entryForm, content);
    this.#entries = entries;
    return damaged;
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
