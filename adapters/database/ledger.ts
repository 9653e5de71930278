import { createHash, randomUUID } from "node:crypto";
import PQueue from "p-queue";
import type { Client } from "pg";
import type { Entry, Ledger, Settlement, Purpose, Spender } from "../../core/api/index.ts";
import {
  type Account,
  type AccountEvent,
  after,
  emptyAccount,
  type BudgetShares,
  spendersOf,
  spentBeside,
  type AccountVerdict,
} from "./account.ts";
import { connect, DatabaseError, inOneMessage, type PlainQuery, unreachable } from "./connection.ts";
import { isMissing } from "./migrations.ts";
import { paceOf } from "./pace.ts";

export interface AccountHolder {
  baseUrl: string;
  token: string;
  /** The name for others. */
  who: string;
  shares: BudgetShares;
}

/** Milliseconds before a silent database is asked again. */
const away = 5000;
/** Milliseconds for which a process may lock the row of a token: less than other processes wait for an answer. */
const longestHold = 2000;

/** A connection can let the process end, or keep it alive, which the types of pg omit. */
interface UnboundSession {
  ref(): void;
  unref(): void;
}

/** The ledgers of tokens in a database: one connection for all tokens of this process. */
export class LedgerDatabase {
  readonly #url: string;
  readonly #books = new Map<string, Book>();
  #client: Promise<Client & UnboundSession> | undefined;
  #failed: { at: number; error: DatabaseError } | undefined;
  /** A connection runs one query at a time. */
  readonly #turns = new PQueue({ concurrency: 1 });

  constructor(url: string) {
    this.#url = url;
  }

  /** The ledger of a token for one spender. The database gets a hash of the token and of its server. */
  ledgerOf({ baseUrl, token, who, shares }: AccountHolder): SharedLedger {
    const key = createHash("sha256").update(`${baseUrl}\n${token}`).digest("hex");
    const book = this.#books.get(key) ?? new Book(this, key);
    this.#books.set(key, book);
    book.own.add(who);
    return new SharedLedger(book, who, shares);
  }

  /** Runs queries on the connection, which keeps the process alive only meanwhile. @throws DatabaseError */
  use<Result>(work: (client: Client) => Promise<Result>): Promise<Result> {
    return this.#turns.add(() => this.#use(work));
  }

  /** By what limits of time are multiplied. */
  get slowness(): number {
    return paceOf(this.#url).factor;
  }

  /** If the connection ends between two queries, the next query connects again. */
  #connect(): Promise<Client & UnboundSession> {
    const its = connect(this.#url) as Promise<Client & UnboundSession>;
    const forget = () => void (this.#client === its && (this.#client = undefined));
    its.then((client) => client.once("end", forget)).catch(() => undefined);
    return its;
  }

  async #use<Result>(work: (client: Client) => Promise<Result>): Promise<Result> {
    if (this.#failed && performance.now() - this.#failed.at < away) throw this.#failed.error;
    const its = (this.#client ??= this.#connect());
    try {
      const client = await its;
      client.ref();
      try {
        const result = await work(client);
        this.#failed = undefined;
        return result;
      } finally {
        client.unref();
      }
    } catch (error) {
      if (this.#client === its) this.#client = undefined;
      void its.then((client) => client.end()).catch(() => undefined);
      const failure = error instanceof DatabaseError ? error : failureOf(error);
      this.#failed = { at: performance.now(), error: failure };
      throw failure;
    }
  }
}

export class SharedLedger implements Ledger {
  readonly #book: Book;
  readonly #who: string;
  readonly #shares: BudgetShares;

  constructor(book: Book, who: string, shares: BudgetShares) {
    this.#book = book;
    this.#who = who;
    this.#shares = shares;
  }

  async enter(purpose: Purpose): Promise<Entry> {
    const id = randomUUID();
    const event = { type: "enter", id, who: this.#who, purpose, shares: this.#shares } as const;
    try {
      const verdict = await this.#book.enter(event);
      if (verdict.kind !== "entered") return verdict;
      return { kind: "entered", settle: (settlement) => this.#book.settle(id, settlement) };
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
      return { kind: "away", reason: error.message };
    }
  }

  get spenders(): readonly Spender[] {
    return spendersOf(this.#book.known);
  }

  /** Requests of each spender in another process for a purpose in this window. */
  spentElsewhere(purpose: Purpose): number[] {
    return spentBeside(this.#book.known, this.#book.own, purpose);
  }
}

interface QueuedEvent {
  event: AccountEvent;
  done(verdict: AccountVerdict | undefined): void;
  failed(error: unknown): void;
}

/** An account as the database has it. */
interface Row {
  version: number;
  account: Account;
  /** Milliseconds since 1970, by the clock of the database. */
  now: number;
  /** When it is too old, by the clock of this process. */
  until: number;
}

/** Writes the account of a token for this process: events at the same time, or soon after each other, share one message. */
class Book {
  readonly #database: LedgerDatabase;
  readonly #key: string;
  /** The spenders of the token in this process. */
  readonly own = new Set<string>();
  /** The last written account. */
  known: Account = emptyAccount;
  #row: Row | undefined;
  /** Whether another process has written between two writes of this one. */
  #hasRival = false;
  /** How long the last message took, in milliseconds. */
  #took = 0;
  #waiting: QueuedEvent[] = [];
  #isWriting = false;

  constructor(database: LedgerDatabase, key: string) {
    this.#database = database;
    this.#key = key;
  }

  enter(event: AccountEvent): Promise<AccountVerdict> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({
        event,
        done: (verdict) => (verdict ? resolve(verdict) : reject(new Error("an entry has no verdict"))),
        failed: reject,
      });
      void this.#writeAll();
    });
  }

  /** Other processes drop an entry that is not settled within two minutes, so it may wait a moment for the next entry. */
  settle(id: string, outcome: Settlement): void {
    const ignore = () => undefined;
    this.#waiting.push({ event: { type: "settle", id, outcome }, done: ignore, failed: ignore });
    setTimeout(() => void this.#writeAll(), this.#took / 10);
  }

  async #writeAll(): Promise<void> {
    if (this.#isWriting) return;
    this.#isWriting = true;
    while (this.#waiting.length > 0) {
      const all = this.#waiting.splice(0);
      try {
        const verdicts = await this.#database.use((client) => this.#store(client, all));
        for (const [index, { done }] of all.entries()) done(verdicts[index]);
      } catch (error) {
        for (const { failed } of all) failed(error);
      }
    }
    this.#isWriting = false;
  }

  async #store(client: Client, all: readonly QueuedEvent[]): Promise<(AccountVerdict | undefined)[]> {
    if (!this.#hasRival) {
      if (!this.#row || performance.now() > this.#row.until) await this.#send(client, []);
      const verdicts = await this.#change(client, all, []);
      if (verdicts) return verdicts;
    }
    const known = this.#row?.version;
    // Near processes write so often that a far one would never win: it locks the row for a moment.
    await this.#send(client, [
      {
        text: "insert into infrasync.token (key, account) values ($1, $2) on conflict do nothing",
        values: [this.#key, JSON.stringify(emptyAccount)],
      },
      { text: "begin", values: [] },
      // A process that hangs meanwhile blocks the others no longer than that.
      {
        text: `set local idle_in_transaction_session_timeout = ${Math.ceil(longestHold * this.#database.slowness)}`,
        values: [],
      },
      { text: "select from infrasync.token where key = $1 for update", values: [this.#key] },
    ]);
    this.#hasRival = this.#row?.version !== known;
    const certain = await this.#change(client, all, [{ text: "commit", values: [] }]);
    if (!certain) throw new Error("a row that is locked has changed");
    return certain;
  }

  /** Sends queries, and reads the account after them with the same message. */
  async #send(client: Client, all: readonly PlainQuery[]): Promise<object[][]> {
    const sent = performance.now();
    const text = `select version::integer, account, extract(epoch from clock_timestamp())::float8 * 1000 as now
      from infrasync.token where key = $1`;
    this.#row = undefined;
    const answers = await inOneMessage(client, [...all, { text, values: [this.#key] }]);
    const [row] = (answers.pop() ?? []) as Omit<Row, "until">[];
    this.#took = performance.now() - sent;
    // The time in an answer is as old as that anyway.
    this.#row = row && { ...row, until: performance.now() + this.#took };
    return answers;
  }

  /** Applies the events to the account. @returns undefined if another process has changed the account meanwhile */
  async #change(
    client: Client,
    all: readonly QueuedEvent[],
    afterwards: readonly PlainQuery[],
  ): Promise<(AccountVerdict | undefined)[] | undefined> {
    const row = this.#row;
    if (!row) return undefined;
    let { account } = row;
    const verdicts = all.map(({ event }) => {
      const next = after(account, event, row.now);
      account = next.account;
      return next.verdict;
    });
    const change = {
      text: `update infrasync.token set account = $3, version = version + 1, changed_at = now()
        where key = $1 and version = $2 returning version`,
      values: [this.#key, row.version, JSON.stringify(account)],
    };
    const [changed] = await this.#send(client, [change, ...afterwards]);
    if (changed?.length !== 1) return undefined;
    this.known = account;
    return verdicts;
  }
}

function failureOf(error: unknown): DatabaseError {
  if (!isMissing(error)) return unreachable(error);
  return new DatabaseError(
    "the database has no ledger of tokens",
    "run infrasync reconcile migrate with its URL",
    error,
  );
}

const databases = new Map<string, LedgerDatabase>();

/** One connection for each database of this process. */
export function ledgersAt(url: string): LedgerDatabase {
  const known = databases.get(url) ?? new LedgerDatabase(url);
  databases.set(url, known);
  return known;
}
