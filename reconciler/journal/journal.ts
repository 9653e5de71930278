import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import Type from "typebox";
import type { Clock } from "../../core/api/index.ts";
import { makeFolder, notAFile, readIfThere, setAside, writeWhole } from "../../core/files/files.ts";
import { readStoredLines, readStoredText, storedText } from "../../core/files/stored-form.ts";
import { form } from "../../core/outputs/forms/forms.ts";
import { counted } from "../../core/values/text.ts";
import type { Plan } from "../../core/planning/plan/index.ts";
import type { PlanOutcome } from "../carry-out/index.ts";
import type { Digests } from "../decide/index.ts";
import type { Log } from "../log.ts";
import type { PreviewCheck } from "../previews/index.ts";
import { type StartedChange, startedChangeForm, withPlan } from "./started-changes.ts";
import type { CycleResult } from "./cycle-result.ts";
import type { Describe, FailureOfCycle } from "./describe.ts";
import {
  entriesOf,
  failureEntries,
  previewEntries,
  repositoryEntries,
  stoppedEntries,
  withoutGone,
} from "./entries-of.ts";
import { entryForm, isListed, type JournalEntry, type NewEntry } from "./entry.ts";
import { after, type Current, wordsOf } from "./table.ts";

export interface JournalSettings {
  /** Undefined: it lives in memory alone. */
  folder?: string | undefined;
  clock: Clock;
  log: Log;
  describe: Describe;
  /** Stores the folder where the next process finds it; default: it stays where it is. */
  keep?: (() => Promise<void>) | undefined;
  /** A text that shows the executed plans; default: none. */
  render?(enacted: readonly PlanOutcome[]): Promise<string>;
}

/** The first line of the file: what lasts, whatever entries are still there. */
const stateForm = form({
  current: Type.Record(Type.String(), entryForm),
  started: Type.Array(startedChangeForm),
});

const mostEntries = 1000;
const mostPlans = 100;

/** All that has happened, each thing once: log, page, notifications and commit statuses say it from here. Its folder may be lost. */
export class Journal {
  readonly #settings: JournalSettings;
  readonly #listeners: ((entries: readonly JournalEntry[]) => Promise<void> | void)[] = [];
  #entries: readonly JournalEntry[] = [];
  #current: Current = {};
  #started: readonly StartedChange[] = [];
  #isRead = false;
  /** For how many cycles in a row the repository could not be read. */
  #unread = 0;

  constructor(settings: JournalSettings) {
    this.#settings = settings;
  }

  /** Reads the journal of an earlier process, once; what has happened before stands after it. A damaged one counts as unknown, and is reported. */
  async open(): Promise<void> {
    const { folder, log } = this.#settings;
    if (this.#isRead || folder === undefined) return;
    const file = this.#file(folder);
    const text = await readIfThere(file);
    this.#isRead = true;
    if (text === undefined) return;
    const last = this.#entries;
    const [state = "", ...lines] = text.split("\n");
    const { entries, damaged } = readStoredLines(entryForm, lines.join("\n"));
    const read = readStoredText(stateForm, state);
    this.#entries = entries;
    this.#current = read.content?.current ?? entries.reduce(after, {});
    this.#started = read.content?.started ?? [];
    const count = damaged + (read.damage === undefined ? 0 : 1);
    const damage = text === notAFile ? text : counted(count, "line");
    if (count > 0) log.warn({}, await setAside(file, damage, "the content of these lines is unknown"));
    for (const entry of Object.values(this.#current))
      if (entry.type !== "synced" && isListed(entry))
        log.info({ ...entry }, `as before: ${wordsOf(entry).sentence}`);
    this.#append(last);
  }

  /** The newest first. */
  entries(): readonly JournalEntry[] {
    return this.#entries.toReversed();
  }

  /** What lasts: the states of environments, pauses, outages. */
  get current(): Current {
    return this.#current;
  }

  /** Calls a function with the entries of each cycle, and of all else that happens, once they are stored. */
  onEntries(listener: (entries: readonly JournalEntry[]) => Promise<void> | void): void {
    this.#listeners.push(listener);
  }

  /** Records the next changes: after a kill, the next process finds out which were made. */
  async begins(plan: Plan, of: { commit: string; documents: Digests }): Promise<void> {
    this.#started = withPlan(this.#started, plan, of);
    await this.#store();
    await this.#settings.keep?.().catch((error: unknown) => this.#failed(error));
  }

  async ended(cycle: CycleResult): Promise<void> {
    const { describe, render } = this.#settings;
    this.#unread = cycle.repositoryFailure ? this.#unread + 1 : 0;
    const { entries, started } = entriesOf(
      cycle,
      { ...this.#knowledge, started: this.#started, unread: this.#unread },
      describe,
    );
    this.#current = withoutGone(this.#current, cycle);
    const isSame = started.length === 0 && this.#started.length === 0;
    this.#started = started;
    const { enacted = [] } = cycle;
    const plan = enacted.length > 0 && entries.length > 0 ? await render?.(enacted) : undefined;
    await this.add(entries, plan, isSame);
  }

  /** A cycle has failed. @param failures how many in a row */
  async failed(failure: FailureOfCycle, failures: number): Promise<void> {
    const entries = failureEntries(failure, failures, this.#knowledge);
    if (!entries.some(({ type }) => type === "failing"))
      this.#settings.log.error({ ...failure, failures }, "the cycle has failed again");
    await this.add(entries);
  }

  /** The repository was read between two cycles. @param failure why it could not be read */
  repositoryRead(failure: FailureOfCycle | undefined): Promise<void> {
    return this.add(repositoryEntries(failure?.reason, this.#knowledge));
  }

  previewsChecked(check: PreviewCheck): Promise<void> {
    return this.add(previewEntries(check, this.#knowledge));
  }

  /** Sources have stopped. @param all those that nobody has acknowledged */
  stopped(all: Parameters<typeof stoppedEntries>[0]): Promise<void> {
    return this.add(stoppedEntries(all, this.#knowledge));
  }

  /** @param plan a document that shows the executed plan @param isSame whether nothing else is to be stored */
  async add(news: readonly NewEntry[], plan?: string, isSame = true): Promise<void> {
    const first = this.#nextId;
    const at = this.#settings.clock.now();
    const its = (entry: NewEntry) => plan !== undefined && "environment" in entry && { plan: first };
    const added = this.#append(news.map((entry) => ({ ...entry, at, ...its(entry) })));
    if (added.length > 0 || !isSame)
      await this.#store(plan === undefined ? undefined : { id: first, text: plan });
    for (const entry of added) this.#say(entry);
    for (const listener of this.#listeners) await listener(added.filter(isListed));
  }

  /** An executed plan as text; undefined if it is gone. */
  async plan(id: number): Promise<string | undefined> {
    const { folder } = this.#settings;
    return folder === undefined ? undefined : readFile(planFile(folder, id), "utf8").catch(() => undefined);
  }

  #append(news: readonly (NewEntry & { at: number })[]): JournalEntry[] {
    const first = this.#nextId;
    const added = news.map((entry, index): JournalEntry => ({ ...entry, id: first + index }));
    this.#entries = [...this.#entries, ...added.filter(isListed)].slice(-mostEntries);
    this.#current = added.reduce(after, this.#current);
    return added;
  }

  get #nextId(): number {
    const known = [...this.#entries.slice(-1), ...Object.values(this.#current)];
    return Math.max(0, ...known.map(({ id }) => id)) + 1;
  }

  get #knowledge() {
    return { current: this.#current, now: this.#settings.clock.now() };
  }

  #say(entry: JournalEntry): void {
    const { level, sentence } = wordsOf(entry);
    const { at: _at, ...fields } = entry;
    this.#settings.log[level](fields, sentence);
  }

  async #store(plan?: { id: number; text: string }): Promise<void> {
    const { folder } = this.#settings;
    if (folder === undefined) return;
    try {
      // What cannot be read is not written over.
      await this.open();
      await makeFolder(join(folder, "plans"));
      if (plan) await writeWhole(planFile(folder, plan.id), plan.text);
      const plans = new Set(this.#entries.flatMap((entry) => entry.plan ?? []));
      const oldest = [...plans].at(-mostPlans) ?? 0;
      for (const name of await readdir(join(folder, "plans")))
        if (Number.parseInt(name, 10) < oldest) await rm(join(folder, "plans", name), { force: true });
      const lines = this.#entries.map((each) => `${JSON.stringify(each)}\n`);
      const state = storedText({ current: this.#current, started: this.#started });
      await writeWhole(this.#file(folder), [state, ...lines].join(""));
    } catch (error) {
      this.#failed(error);
    }
  }

  #failed(error: unknown): void {
    this.#settings.log.warn({ reason: String(error) }, "the journal cannot be written");
  }

  #file(folder: string): string {
    return join(folder, "journal.jsonl");
  }
}

function planFile(folder: string, id: number): string {
  return join(folder, "plans", `${id}.txt`);
}
