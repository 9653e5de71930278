import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { writeWhole } from "../../core/files.ts";
import { type Fields, isFields, textIn } from "../../core/json.ts";
import type { Log } from "../log.ts";
import type { Deliveries } from "../show/index.ts";

/** A notification that has not arrived yet. */
export interface Waiting {
  id: string;
  /** The name of its receiver. */
  to: string;
  message: string;
}

/** How many notifications wait: of more, the oldest are lost. */
export const mostWaiting = 500;

/** Keeps notifications until they have arrived, in one file with what was told, so that neither outlives the other. */
export class Outbox {
  readonly #file: string;
  readonly #log: Pick<Log, "warn">;
  readonly #keep: (() => Promise<void>) | undefined;
  #told: object = {};
  #waiting: readonly Waiting[] = [];
  #stored = "";
  #writing: Promise<boolean> = Promise.resolve(true);
  #delivered = 0;
  #failed = 0;
  #lost = 0;

  /** @param keep stores the file where the next process finds it, or throws; default: it stays where it is */
  constructor(file: string, log: Pick<Log, "warn">, keep?: () => Promise<void>) {
    this.#file = file;
    this.#log = log;
    this.#keep = keep;
  }

  /** Reads what was told, and what still waits; nothing if the file is missing or damaged. */
  async open(): Promise<Fields> {
    const text = await readFile(this.#file, "utf8").catch(() => "{}");
    try {
      const content: unknown = JSON.parse(text);
      const { waiting, ...told } = isFields(content) ? content : {};
      this.#told = told;
      this.#stored = text;
      this.#waiting = (Array.isArray(waiting) ? waiting.filter(isFields) : []).flatMap((entry) => {
        const [id, to, message] = ["id", "to", "message"].map((member) => textIn(entry, member));
        return id === undefined || to === undefined || message === undefined ? [] : [{ id, to, message }];
      });
      return told;
    } catch {
      // A message that is told twice is better than none.
      return {};
    }
  }

  get deliveries(): Deliveries {
    return {
      waiting: this.#waiting.length,
      delivered: this.#delivered,
      failed: this.#failed,
      lost: this.#lost,
    };
  }

  /** Adds notifications, and replaces what was told. They are kept when it resolves. */
  async add(messages: readonly Omit<Waiting, "id">[], told: object): Promise<void> {
    const all = [...this.#waiting, ...messages.map((message) => ({ ...message, id: `msg_${randomUUID()}` }))];
    const dropped = Math.max(0, all.length - mostWaiting);
    if (dropped > 0)
      this.#log.warn({ dropped }, "notifications were dropped, because too many have not arrived yet");
    this.#lost += dropped;
    this.#waiting = all.slice(dropped);
    this.#told = told;
    await this.#write();
  }

  /** The notification that a receiver gets next. */
  next(to: string): Waiting | undefined {
    return this.#waiting.find((each) => each.to === to);
  }

  /** A notification has arrived, or never will. */
  async done({ id }: Waiting, result: "delivered" | "lost"): Promise<void> {
    if (result === "delivered") this.#delivered += 1;
    else this.#lost += 1;
    this.#waiting = this.#waiting.filter((each) => each.id !== id);
    await this.#write();
  }

  failed(): void {
    this.#failed += 1;
  }

  /** Stores what is not stored yet. Gives whether another worker would find it; where there is none, a full disk stops no message. */
  async store(): Promise<boolean> {
    return (await this.#write()) || this.#keep === undefined;
  }

  #write(): Promise<boolean> {
    this.#writing = this.#writing.then(() => this.#writeNow());
    return this.#writing;
  }

  async #writeNow(): Promise<boolean> {
    const waiting = this.#waiting.length > 0 ? { waiting: this.#waiting } : {};
    const content = `${JSON.stringify({ version: 1, ...this.#told, ...waiting })}\n`;
    if (content === this.#stored) return true;
    try {
      await writeWhole(this.#file, content, 0o600);
      await this.#keep?.();
      this.#stored = content;
      return true;
    } catch (error) {
      this.#log.warn({ reason: String(error) }, "notifications cannot be stored");
      return false;
    }
  }
}
