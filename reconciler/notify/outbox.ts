import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import Type from "typebox";
import { form, optional } from "../../core/outputs/forms/forms.ts";
import { openStored, store, type StoredForm } from "../../core/files/stored-form.ts";
import type { Log } from "../log.ts";
import type { Deliveries } from "../show/index.ts";

const waitingForm = form({ id: Type.String(), to: Type.String(), message: Type.String() });

/** A notification that has not been delivered yet. */
export type OutboxEntry = StoredForm<typeof waitingForm>;

const reportedForm = form({
  /** The number of the last entry of the journal. */
  last: Type.Number(),
  /** The last reports of lasting states, by subject. */
  times: Type.Record(Type.String(), Type.Number()),
});

export type ReportedEntry = StoredForm<typeof reportedForm>;

const outboxForm = form({ ...reportedForm.properties, waiting: optional(Type.Array(waitingForm)) });

/** The most waiting notifications: beyond that, the oldest are lost. */
export const mostWaiting = 500;

/** Keeps notifications until their delivery, in one file with the reported entries: neither outlives the other. */
export class Outbox {
  readonly #file: string;
  readonly #log: Pick<Log, "warn">;
  readonly #keep: (() => Promise<void>) | undefined;
  #reported: ReportedEntry = { last: 0, times: {} };
  #waiting: readonly OutboxEntry[] = [];
  #stored: object | undefined;
  #writing: Promise<boolean> = Promise.resolve(true);
  #delivered = 0;
  #failed = 0;
  #lost = 0;

  /** @param keep stores the file where the next process finds it, or throws; default: it stays */
  constructor(file: string, log: Pick<Log, "warn">, keep?: () => Promise<void>) {
    this.#file = file;
    this.#log = log;
    this.#keep = keep;
  }

  /** Reads the reported entries and waiting notifications; undefined: unknown. Twice is better than never. */
  async open(): Promise<ReportedEntry | undefined> {
    const read = await openStored(outboxForm, this.#file, "notifications are sent again");
    if (read?.damage !== undefined) this.#log.warn({}, read.damage);
    if (!read?.content) return undefined;
    this.#stored = read.content;
    const { waiting = [], ...reported } = read.content;
    this.#reported = reported;
    this.#waiting = waiting;
    return reported;
  }

  get reported(): ReportedEntry {
    return this.#reported;
  }

  get deliveries(): Deliveries {
    return {
      waiting: this.#waiting.length,
      delivered: this.#delivered,
      failed: this.#failed,
      lost: this.#lost,
    };
  }

  async add(messages: readonly Omit<OutboxEntry, "id">[], reported: ReportedEntry): Promise<void> {
    const all = [...this.#waiting, ...messages.map((message) => ({ ...message, id: `msg_${randomUUID()}` }))];
    const dropped = Math.max(0, all.length - mostWaiting);
    if (dropped > 0)
      this.#log.warn({ dropped }, "notifications were dropped, because too many have not arrived yet");
    this.#lost += dropped;
    this.#waiting = all.slice(dropped);
    this.#reported = reported;
    await this.#write();
  }

  next(to: string): OutboxEntry | undefined {
    return this.#waiting.find((each) => each.to === to);
  }

  /** Removes a notification that was delivered, or never will be. */
  async done({ id }: OutboxEntry, result: "delivered" | "lost"): Promise<void> {
    if (result === "delivered") this.#delivered += 1;
    else this.#lost += 1;
    this.#waiting = this.#waiting.filter((each) => each.id !== id);
    await this.#write();
  }

  failed(): void {
    this.#failed += 1;
  }

  /** Stores changes. Returns whether another worker would find them; without workers, a full disk stops no message. */
  async store(): Promise<boolean> {
    return (await this.#write()) || this.#keep === undefined;
  }

  #write(): Promise<boolean> {
    this.#writing = this.#writing.then(() => this.#writeNow());
    return this.#writing;
  }

  async #writeNow(): Promise<boolean> {
    const waiting = this.#waiting.length > 0 ? { waiting: this.#waiting } : {};
    const content = { ...this.#reported, ...waiting };
    if (isDeepStrictEqual(content, this.#stored)) return true;
    try {
      await store(this.#file, content, 0o600);
      await this.#keep?.();
      this.#stored = content;
      return true;
    } catch (error) {
      this.#log.warn({ reason: String(error) }, "notifications cannot be stored");
      return false;
    }
  }
}
