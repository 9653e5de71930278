import { randomUUID } from "node:crypto";
import {
  DatabaseError,
  LateAnswerError,
  type DatabasePace,
  type PlainValue,
  unreachable,
} from "../../adapters/database/index.ts";
import { giveBackLease, giveBackLocks, takeLocks, waitAfter } from "./source-locks.ts";
import { endOfWorker, lockOf, lockOfWorker } from "./lock-names.ts";
import { type Proof, proofColumns } from "./proof.ts";
import {
  type BatchedQuery,
  type LockServer,
  postgres,
  WorkerSession,
  type WorkerSessionSettings,
} from "./worker-session.ts";
import { codeOf } from "../../core/values/error-code.ts";

/** The right to work on a source: one worker has it at a time. */
export interface Lease {
  /** Aborts when the right is lost, or is given to another worker. */
  lost: AbortSignal;
  /** Raised by each worker that takes the source: what an earlier one still writes is refused. */
  epoch: number;
  /** Resolves when the right was there within the last moments. @throws DatabaseError: it is lost, or nobody knows */
  ensure(): Promise<void>;
  /** Runs a query only while the right is there. @throws DatabaseError */
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** The same, in one transaction with the heartbeat that is being prepared, or at once if none is. @throws DatabaseError */
  join(text: string, values: readonly PlainValue[]): Promise<unknown>;
  nextBeat(): Promise<void>;
  release(): Promise<void>;
}

export interface LeasesSettings extends Omit<WorkerSessionSettings, "server" | "id" | "locks" | "onEnd"> {
  signal: AbortSignal;
  /** Default: PostgreSQL. */
  server?: LockServer;
  /** The database has gone, or is back. @param error undefined if it is back */
  onChange(error: unknown): void;
}

/** Milliseconds between two heartbeats of a worker. */
const heartbeat = 2000;
/** Milliseconds for which a heartbeat waits for the writes that go along with it. */
const gathering = 500;
/** The connection of a worker that has sent no heartbeat for so long is ended, in seconds; a slow one gets a multiple. */
const longestSilence = 8;
/** A worker that is late by so many milliseconds needs an answer one millisecond later: its limits are multiples of an answer. */
const lateness = 5;
/** A worker takes so many sources with a heartbeat: one that starts a moment later gets its share before they are opened. */
const mostTaken = 10;
/** A slow database is asked so many times for a first connection. */
const mostFirstTries = 2;
/** A heartbeat in the future is from before the clock of the database was set back, and counts as none. */
const isSilent = "abs(extract(epoch from now() - seen_at)) > $2 * slowness";
const lifeSign = `with own as (update infrasync.worker set seen_at = now(), slowness = $4 where id = $1 returning id),
    silent as (delete from infrasync.worker where id <> $1 and ${isSilent} returning id, slowness, ${endOfWorker}),
    held as (update infrasync.lease set slowness = silent.slowness from silent where worker = silent.id)
  select (select count(*) from own)::integer as own, (select count(*) from silent)::integer as ended,
    (select count(*) from infrasync.worker where not (${isSilent}))::integer as alive,
    ${proofColumns("$3")}`;
type LifeSign = Proof & { own: number; alive: number };

interface HeldLease extends Lease {
  stop: AbortController;
}

/** Takes a lease that was waited for. @returns whether it is still wanted */
type Give = (lease: Lease) => boolean;

/**
 * Leases of sources: advisory locks on one connection of this worker, which PostgreSQL drops with the connection however it
 * ends. A worker that stands still loses its connection to the others, so that it finds out before its next write.
 */
export class Leases {
  readonly #settings: LeasesSettings;
  readonly #server: LockServer;
  readonly id = randomUUID();
  readonly #session: WorkerSession;
  readonly #held = new Map<string, HeldLease>();
  readonly #desired = new Map<string, Give>();
  #failure: unknown;
  /** The writes that go along with the next heartbeat. */
  #joined: BatchedQuery[] | undefined;
  #preparing = Promise.withResolvers<void>();

  constructor(settings: LeasesSettings) {
    this.#settings = settings;
    this.#server = settings.server ?? postgres;
    this.#session = new WorkerSession({
      ...settings,
      server: this.#server,
      id: this.id,
      locks: () => [lockOfWorker(this.id), ...[...this.#held.keys()].map(lockOf)],
      onEnd: (reason) => this.#giveUp(reason),
    });
  }

  get pace(): DatabasePace {
    return this.#session.pace;
  }

  /** Connects for the first time, with more patience each time. @throws DatabaseError */
  async open(): Promise<void> {
    for (let tries = 1; ; tries += 1)
      try {
        return await this.#session.open();
      } catch (error) {
        if (!(error instanceof LateAnswerError) || tries > mostFirstTries) throw error;
      }
  }

  /** Takes part until the signal: sends heartbeats, takes free sources, and gives up those that other workers should have. */
  async run(): Promise<void> {
    const { signal, onChange } = this.#settings;
    const pause = heartbeat - gathering;
    while (!signal.aborted) {
      try {
        if (!this.#session.current) await this.#session.open();
        await this.#beat();
        if (this.#failure !== undefined) onChange(undefined);
        this.#failure = undefined;
      } catch (given) {
        const error = given instanceof DatabaseError ? given : unreachable(given);
        const isLateAgain = this.#failure instanceof LateAnswerError;
        if (this.#failure === undefined) onChange(error);
        this.#failure = error;
        this.#wake();
        // Each write proves the locks again, so one late answer costs no source; the next one has twice the time.
        if (error instanceof LateAnswerError && !isLateAgain) continue;
        this.#session.drop(error);
      }
      const started = this.#server.counted();
      await this.#server.sleep(pause, signal);
      const late = this.#server.counted() - started - pause;
      // A process that stood still for longer is not slow.
      if (late < longestSilence * 1000) this.pace.took(late / lateness);
    }
    this.#preparing.resolve();
  }

  /** Resolves when the next heartbeat is being prepared, or fails, so that what waits for it may join it. */
  nextBeat(): Promise<void> {
    return this.#preparing.promise;
  }

  #wake(): void {
    this.#preparing.resolve();
    this.#preparing = Promise.withResolvers();
  }

  /** Waits for the right to work on a source. @throws DatabaseError when the signal comes first */
  async take(source: string, signal: AbortSignal): Promise<Lease> {
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        this.#desired.delete(source);
        reject(new DatabaseError("the source is not needed any more", ""));
      };
      if (signal.aborted) return onAbort();
      signal.addEventListener("abort", onAbort, { once: true });
      this.#desired.set(source, (lease) => {
        signal.removeEventListener("abort", onAbort);
        resolve(lease);
        return !signal.aborted;
      });
      return undefined;
    });
  }

  has(source: string): boolean {
    return this.#held.has(source);
  }

  /** The epoch of a source that this worker has the right to work on. @throws DatabaseError: it has none */
  epochOf(source: string): number {
    const held = this.#held.get(source);
    if (!held) throw lost(source);
    return held.epoch;
  }

  /** The connection of the locks; undefined: there is none. Notices may have been missed between two. */
  get connection(): unknown {
    return this.#session.current;
  }

  /** Runs a query: it fails when the locks are gone. */
  query<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return this.#session.query(text, values);
  }

  /** Runs a query in one transaction with the heartbeat that is being prepared, on the connection of the locks; at once if none is. */
  join<Row extends object>(text: string, values: readonly PlainValue[]): Promise<Row[]> {
    const all = this.#joined;
    if (!all) return this.query<Row>(text, values);
    return new Promise((resolve, reject) => {
      all.push({ text, values, resolve: (rows) => resolve(rows as Row[] | Promise<Row[]>), reject });
    });
  }

  async close(): Promise<void> {
    await this.query("delete from infrasync.worker where id = $1", [this.id]).catch(() => undefined);
    await this.#session.close();
  }

  async #beat(): Promise<void> {
    const counts = await this.#tell();
    // The others have ended it, or the tables have been restored: it starts again.
    if (counts.own !== 1) throw unreachable(undefined);
    const all = this.#held.size + this.#desired.size;
    const share = Math.ceil(all / Math.max(1, counts.alive));
    // One more than its share may stay, or two workers would pass one source to and fro.
    for (const { stop } of [...this.#held.values()].slice(share + 1))
      stop.abort("another worker has fewer sources");
    await this.#takeFree(Math.min(mostTaken, share - this.#held.size));
  }

  /** Sends a heartbeat, which ends the connections of workers that sent none, and proves the locks, with all queries that wait for it. */
  async #tell(): Promise<LifeSign> {
    const joined: BatchedQuery[] = (this.#joined = []);
    this.#wake();
    await this.#server.sleep(gathering, this.#settings.signal);
    this.#joined = undefined;
    return this.#session.tellingPace((slowness) =>
      this.#session.proving(async () => {
        const own = Promise.withResolvers<LifeSign[]>();
        const values = [this.id, longestSilence, this.#session.locks, slowness];
        const resolve = (rows: object[] | Promise<object[]>) => own.resolve(rows as LifeSign[]);
        await this.#session.sendTogether([
          { text: lifeSign, values, resolve, reject: own.reject },
          ...joined,
        ]);
        return own.promise;
      }),
    );
  }

  /** Takes sources that no worker has, with one query. @param most how many */
  async #takeFree(most: number): Promise<void> {
    if (most <= 0 || this.#desired.size === 0) return;
    const names = [...this.#desired.keys()].toSorted(() => Math.random() - 0.5);
    const session = this.#session.current;
    if (!session) return;
    const { timeline } = session;
    const taking = takeLocks(this.#session, names, most, { worker: this.id, timeline });
    const taken = await taking.catch((error: unknown) => {
      // The locks of an answer that nobody waits for any more.
      if (error instanceof LateAnswerError) void giveBackLocks(this.#session, names);
      throw error;
    });
    for (const { name, epoch, former } of taken) {
      const held = this.#hold(name, epoch);
      const give = this.#desired.get(name);
      this.#desired.delete(name);
      const wait = waitAfter(former ?? undefined, { worker: this.id, timeline });
      if (give) void this.#give(name, held, give, wait);
      else await held.release();
    }
  }

  /** @param wait milliseconds in which whoever had the source may still write */
  async #give(name: string, held: HeldLease, give: Give, wait: number): Promise<void> {
    const until = AbortSignal.any([this.#settings.signal, held.lost]);
    if (wait > 0) await this.#server.sleep(wait, until);
    if (held.lost.aborted) this.#desired.set(name, give);
    if (held.lost.aborted || !give(held)) await held.release();
  }

  #hold(name: string, epoch: number): HeldLease {
    const stop = new AbortController();
    const whileHeld = async <Result>(work: () => Promise<Result>): Promise<Result> => {
      if (this.#held.get(name) !== held) throw lost(name);
      try {
        return await work();
      } catch (error) {
        // IS001: the database has refused a write of an earlier epoch.
        if (codeOf(error) !== "IS001") throw error;
        this.#held.delete(name);
        stop.abort("another worker has taken the source");
        // The lock may be that of another primary than the epoch.
        await this.#session.locate().catch(() => undefined);
        await giveBackLease(this.#session, name, epoch);
        throw lost(name);
      }
    };
    const held: HeldLease = {
      stop,
      lost: stop.signal,
      epoch,
      ensure: () =>
        whileHeld(async () => {
          await this.#session.ensure();
          if (this.#held.get(name) !== held) throw lost(name);
        }),
      query: <Row extends object>(text: string, values?: readonly unknown[]) =>
        whileHeld(() => this.query<Row>(text, values)),
      join: (text, values) => whileHeld(() => this.join(text, values)),
      nextBeat: () => this.nextBeat(),
      release: async () => {
        if (this.#held.get(name) !== held) return;
        this.#held.delete(name);
        await giveBackLease(this.#session, name, epoch);
      },
    };
    this.#held.set(name, held);
    return held;
  }

  #giveUp(reason: unknown): void {
    const held = [...this.#held.values()];
    this.#held.clear();
    for (const { stop } of held) stop.abort(reason ?? "the connection of the locks has ended");
    // What a proof says is reported, although the next connection may be there before the next heartbeat.
    if (!(reason instanceof DatabaseError) || this.#failure !== undefined) return;
    this.#failure = reason;
    this.#settings.onChange(reason);
  }
}

function lost(name: string): DatabaseError {
  return new DatabaseError(
    `another worker may work on ${name} now, so nothing is sent`,
    "do nothing: one of the workers continues",
  );
}
