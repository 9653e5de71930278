import { InvalidInputError } from "../../../core/problems/problem.ts";
import type { Clock, SharedReads } from "../../../core/api/index.ts";
import type { SharedFile } from "../../../core/state/live/index.ts";
import type { Json } from "../../../core/values/json.ts";
import {
  DatabaseOutage,
  type FleetBoard,
  type FollowedStore,
  type Lease,
  type Leases,
  type Log,
  type NewEntry,
  type RequestRelay,
  failureOf,
  type Source,
  type SourceFiles,
  type SourceHealthExchange,
  type StoredSessions,
  type StoredClaims,
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
  /** Answers requests to another worker about a source of this one. */
  answer(source: string, request: Json): Promise<Json>;
}

const hintChannel = "infrasync_hint";

/** Milliseconds before every second heartbeat, which exchanges the states of sources. */
const exchanging = 3000;

/** A source that this worker has the right to run. */
export interface HeldSource {
  lease: Lease;
  files: SourceFiles;
  keptParts: SharedFile;
}

/** This process among the equal workers of a database. */
export class Workers {
  readonly #settings: WorkersSettings;
  readonly #leases: Leases;
  readonly #standings: SourceHealthExchange;
  readonly #passing: RequestRelay;
  readonly #memoryOf: (lease: Lease, source: string, folder: string) => Omit<HeldSource, "lease">;
  /** The lists that the workers have read of one organization with one token, by a key of both. */
  readonly readsOf: (key: string) => SharedReads;
  /** The claims of the sources of all workers. */
  readonly claims: StoredClaims;
  readonly deleters: StoredDeleters;
  /** The declared sources. */
  readonly followed: FollowedStore;
  readonly sessions: StoredSessions;
  /** Gives a source its files under the old name. */
  readonly rename: (from: string, to: string) => Promise<void>;
  readonly #taken = new Map<string, Lease>();

  private constructor(
    settings: WorkersSettings,
    leases: Leases,
    standings: SourceHealthExchange,
    passing: RequestRelay,
    memoryOf: (lease: Lease, source: string, folder: string) => Omit<HeldSource, "lease">,
    readsOf: (key: string) => SharedReads,
    claims: StoredClaims,
    deleters: StoredDeleters,
    followed: FollowedStore,
    sessions: StoredSessions,
    rename: (from: string, to: string) => Promise<void>,
  ) {
    this.#settings = settings;
    this.#leases = leases;
    this.#standings = standings;
    this.#passing = passing;
    this.#memoryOf = memoryOf;
    this.readsOf = readsOf;
    this.claims = claims;
    this.deleters = deleters;
    this.followed = followed;
    this.sessions = sessions;
    this.rename = rename;
  }

  /** @throws InvalidInputError when the database cannot be used */
  static async open(settings: WorkersSettings): Promise<Workers> {
    const database = await import("../../../reconciler/database/index.ts");
    const { url, clock, signal, log } = settings;
    const outage = new DatabaseOutage(clock, signal, settings.onOutage);
    const leases = new database.Leases({
      url,
      version: buildVersion(),
      signal,
      channels: [hintChannel, database.claimsChannel, ...Object.values(database.passingChannels)],
      onNotice(channel, text) {
        if (channel === hintChannel) settings.onHint(text);
        else if (channel === database.claimsChannel) claims.changed();
        else
          passing
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
    const claims = new database.DatabaseClaims(leases);
    const passing = new database.RequestRelay({ leases, clock, answer: settings.answer });
    try {
      await leases.open();
    } catch (error) {
      if (!(error instanceof database.DatabaseError)) throw error;
      const { message, advice } = error;
      throw new InvalidInputError([{ code: "setting", message, advice }]);
    }
    return new Workers(
      settings,
      leases,
      new database.SourceHealthExchange(leases),
      passing,
      (lease, source, folder) => ({
        files: new database.SourceFiles(lease, source, folder),
        keptParts: new database.StoredParts(lease, source),
      }),
      (key) => new database.StoredReads(leases, clock, key),
      claims,
      new database.DatabaseDeleters(leases),
      new database.DatabaseSources(leases),
      new database.StoredSessions(url),
      (from, to) => database.renameFiles(leases, from, to),
    );
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
  held({ name }: Pick<Source, "name">, folder: string): HeldSource | undefined {
    const lease = this.#taken.get(name);
    return lease && { lease, ...this.#memoryOf(lease, name, folder) };
  }

  /** Tells the worker of a source that its repository has moved on. */
  async hint(source: string): Promise<void> {
    await this.#leases.query("select pg_notify($1, $2)", [hintChannel, source]).catch(() => undefined);
  }

  /** Asks the worker of a source; undefined: no answer. */
  async ask(source: string, request: Json): Promise<Json | undefined> {
    return this.#passing.ask(source, request).catch(() => undefined);
  }

  async close(): Promise<void> {
    await Promise.all([this.#leases.close(), this.sessions.close()]);
  }

  async #exchange(): Promise<void> {
    const { clock, signal, board } = this.#settings;
    while (!signal.aborted) {
      // The leases report problems of the database.
      await this.#standings.exchange(() => board().own()).catch(() => undefined);
      board().others(this.#standings.known);
      await clock.sleep(exchanging, signal);
    }
  }
}
