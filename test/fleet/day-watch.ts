import { setTimeout as sleep } from "node:timers/promises";
import type { Account } from "../../adapters/database/account.ts";
import type { FastTime } from "./fast-time.ts";
import type { Postgres } from "./postgres.ts";

/** Requests of a window of the quota by purpose, as the ledger has entered them. */
export interface WindowSpending {
  /** When it ended, in seconds since 1970: fast time. */
  reset: number;
  checking: number;
  applying: number;
}

/** How long a source was in a state. Times are in milliseconds since 1970, by the machine. */
interface Spell {
  source: string;
  because: string;
  since: number;
  until: number;
}

/** Milliseconds after which a source without a heartbeat of its worker does not run. */
const longestSilence = 15_000;

/** Watches by the database how sources stand, and what is entered into the ledger of a token. */
export class DayWatch {
  readonly #postgres: Postgres;
  readonly #time: FastTime;
  readonly #names: readonly string[];
  readonly #doubts = new Map<string, Spell>();
  readonly #over = new AbortController();
  #running: Promise<void> | undefined;
  /** When somebody did not know how a source stands. */
  readonly spells: Spell[] = [];
  readonly windows = new Map<number, WindowSpending>();
  /** The state of each source, as its worker has told it last. */
  states = new Map<string, string>();

  constructor(postgres: Postgres, time: FastTime, names: readonly string[]) {
    this.#postgres = postgres;
    this.#time = time;
    this.#names = names;
  }

  begin(): void {
    this.#running = this.#run();
  }

  async end(): Promise<void> {
    this.#over.abort();
    await this.#running;
    for (const name of this.#names) this.#tell(name, undefined);
  }

  async #run(): Promise<void> {
    while (!this.#over.signal.aborted) {
      try {
        await this.#refresh();
      } catch {
        for (const name of this.#names) this.#tell(name, "the database is away");
      }
      await sleep(300);
    }
  }

  async #refresh(): Promise<void> {
    const rows = await this.#postgres.query<{ source: string; state: string; age: number }>(
      `select source, state, extract(epoch from now() - greatest(s.seen_at, w.seen_at))::float8 * 1000 as age
       from infrasync.source_status s left join infrasync.worker w on w.id = s.worker`,
    );
    this.states = new Map(rows.map(({ source, state }) => [source, state]));
    // Before its first worker has told of it, a source has no state.
    for (const { source, state, age } of rows)
      this.#tell(
        source,
        age > longestSilence
          ? "no worker has it"
          : state === "unknown" || state === "down"
            ? state
            : undefined,
      );
    const accounts = await this.#postgres.query<{ account: Account }>("select account from infrasync.token");
    for (const { account } of accounts) this.#spent(account);
  }

  #tell(source: string, because: string | undefined): void {
    const spell = this.#doubts.get(source);
    if (spell && spell.because === because) return;
    const now = Date.now();
    if (spell) this.spells.push({ ...spell, until: now });
    if (because === undefined) this.#doubts.delete(source);
    else this.#doubts.set(source, { source, because, since: now, until: now });
  }

  #spent({ reset, isReported, spent }: Account): void {
    if (!isReported) return;
    const of = (purpose: "checking" | "applying") =>
      Object.values(spent).reduce((sum, by) => sum + (by[purpose] ?? 0), 0);
    this.windows.set(reset, { reset, checking: of("checking"), applying: of("applying") });
  }

  /** The longest time in minutes of the fast time, by what the doubt was about. */
  longest(): Record<string, string> {
    const longest: Record<string, Spell> = {};
    for (const spell of this.spells) {
      const known = longest[spell.because];
      if (!known || spell.until - spell.since > known.until - known.since) longest[spell.because] = spell;
    }
    return Object.fromEntries(
      Object.entries(longest).map(([because, { source, since, until }]) => [
        because,
        `${(((until - since) * this.#time.speed) / 60_000).toFixed(0)} min (${source}, from hour ${this.#time.hoursAt(since).toFixed(1)})`,
      ]),
    );
  }
}
