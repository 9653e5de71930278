import { InvalidInputError } from "../../../core/problems/problem.ts";
import type { Clock, SharedReads } from "../../../core/api/index.ts";
import type { Json } from "../../../core/values/json.ts";
import type * as Database from "../../../reconciler/database/index.ts";
import {
  databaseOutage,
  type FleetBoard,
  type FollowedStore,
  type Log,
  type NewEntry,
  failureOf,
  type Source,
  type StoredDeleters,
} from "../../../reconciler/index.ts";
import { withServiceAdvice } from "../../render/remedies.ts";
import { buildVersion } from "../../version.ts";

/** The state that several workers share in a database. */
export interface WorkersSettings {
  url: string;
  clock: Clock;
  signal: AbortSignal;
  log: Log;
  board(): FleetBoard;
  /** Called at the start and the end of a database outage. */
  onOutage(entry: NewEntry): void;
  /** Called when another worker learns that the repository of a source has moved on. */
  onHint(source: string): void;
  answer(source: string, request: Json): Promise<Json>;
}

const hintChannel = "infrasync_hint";

/** Milliseconds before every second heartbeat, which exchanges the states of sources. */
const exchanging = 3000;

/** This process among the equal workers of a database. */
export class Workers {
  readonly #settings: WorkersSettings;
  readonly #database: typeof Database;
  readonly #leases: Database.Leases;
  readonly #health: Database.SourceHealthExchange;
  readonly #relay: Database.RequestRelay;
  readonly #taken = new Map<string, Database.Lease>();
  /** The claims of the sources of all workers. */
  readonly claims: Database.DatabaseClaims;
  readonly deleters: StoredDeleters;
  readonly followed: FollowedStore;
  readonly sessions: Database.StoredSessions;

  private constructor(settings: WorkersSettings, database: typeof Database) {
    const { url, clock, signal, log, answer } = settings;
    this.#settings = settings;
    this.#database = database;
    const outage = databaseOutage(clock, signal, settings.onOutage);
    this.#leases = new database.Leases({
      url,
      version: buildVersion(),
      signal,
      channels: [hintChannel, database.claimsChannel, ...database.RequestRelay.channels],
      onNotice: (channel, text) => {
        if (channel === hintChannel) settings.onHint(text);
        else if (channel === database.claimsChannel) this.claims.changed();
        else
          this.#relay
            .heard(channel, text)
            .catch((error: unknown) =>
              log.warn({ reason: String(error) }, "a request could not be answered"),
            );
      },
      onChange(error) {
        if (error === undefined) {
          log.info({}, "the database is back");
          outage.back();
        } else {
          outage.away(failureOf(error, withServiceAdvice).reason);
          log.error(
            { reason: String(error) },
            "the database cannot be used; nothing is sent until it is back",
          );
        }
        settings.board().database(error);
      },
    });
    this.#health = new database.SourceHealthExchange(this.#leases);
    this.#relay = new database.RequestRelay({ leases: this.#leases, clock, answer });
    this.claims = new database.DatabaseClaims(this.#leases);
    this.deleters = database.databaseDeleters(this.#leases);
    this.followed = database.databaseSources(this.#leases);
    this.sessions = new database.StoredSessions(url);
  }

  /** @throws InvalidInputError when the database cannot be used */
  static async open(settings: WorkersSettings): Promise<Workers> {
    const database = await import("../../../reconciler/database/index.ts");
    const workers = new Workers(settings, database);
    try {
      await workers.#leases.open();
    } catch (error) {
      if (!(error instanceof database.DatabaseError)) throw error;
      const { message, advice } = error;
      throw new InvalidInputError([{ code: "setting", message, advice }]);
    }
    return workers;
  }

  /** The lists that the workers have read of one organization with one token, by a key of both. */
  readsOf(key: string): SharedReads {
    return new this.#database.StoredReads(this.#leases, this.#settings.clock, key);
  }

  rename(from: string, to: string): Promise<void> {
    return this.#database.renameFiles(this.#leases, from, to);
  }

  /** How long the database takes for an answer, in milliseconds. */
  get answerTime(): number {
    return this.#leases.pace.answerTime;
  }

  /** Takes part until the signal. */
  async run(): Promise<void> {
    await Promise.all([this.#exchange(), this.#leases.run()]);
  }

  /** Waits for the right to run a source. @returns a function that gives the right back */
  async admit({ name }: Pick<Source, "name">, signal: AbortSignal): Promise<() => Promise<void>> {
    const lease = await this.#leases.take(name, signal);
    this.#taken.set(name, lease);
    return () => {
      this.#taken.delete(name);
      return lease.release();
    };
  }

  /** The state of a source that this worker may run. */
  held(
    { name }: Pick<Source, "name">,
    folder: string,
  ):
    | {
        lease: Database.Lease;
        files: Database.SourceFiles;
        sharedParts: ReturnType<typeof Database.storedParts>;
      }
    | undefined {
    const lease = this.#taken.get(name);
    if (!lease) return undefined;
    const { SourceFiles, storedParts } = this.#database;
    return { lease, files: new SourceFiles(lease, name, folder), sharedParts: storedParts(lease, name) };
  }

  async hint(source: string): Promise<void> {
    await this.#leases.query("select pg_notify($1, $2)", [hintChannel, source]).catch(() => undefined);
  }

  /** Asks the worker of a source; undefined: no answer. */
  async ask(source: string, request: Json): Promise<Json | undefined> {
    return this.#relay.ask(source, request).catch(() => undefined);
  }

  async close(): Promise<void> {
    await Promise.all([this.#leases.close(), this.sessions.close()]);
  }

  async #exchange(): Promise<void> {
    const { clock, signal, board } = this.#settings;
    while (!signal.aborted) {
      // The leases report problems of the database.
      await this.#health.exchange(() => board().own()).catch(() => undefined);
      board().others(this.#health.known);
      await clock.sleep(exchanging, signal);
    }
  }
}
