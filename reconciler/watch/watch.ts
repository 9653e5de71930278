import type { Client, Clock } from "../../core/api/index.ts";
import type { LiveStore } from "../../core/state/live/index.ts";
import type { ReportedDeletion } from "./deletions.ts";
import { type Doubt, EventHints } from "./event-hints.ts";
import type { RateBudget } from "./rate-budget.ts";
import { ListAudit } from "./audit.ts";
import { Rotation } from "./rotation.ts";

/** Milliseconds for which live state is valid without events. */
const longestBelief = 300_000;

export interface WatchSettings {
  clock: Clock;
  rateBudget: RateBudget;
}

/**
 * Keeps the known live state valid with few requests: events name changes at once; an audit every five minutes finds
 * created and deleted resources without an event; and everything is read again in turn. Events come first, then the
 * resources that they name; turns take the rest of the share.
 */
export class Watch {
  readonly #settings: WatchSettings;
  /** Who has changed what, and when, as far as the events tell. */
  readonly hints: EventHints;
  readonly #audit = new ListAudit();
  readonly #rotation = new Rotation();
  #lastAudit = -Infinity;
  #nextAudit = -Infinity;
  /** Whether neither events nor audits tell of changes. */
  #isBlind = false;
  #began = 0;
  /** Environments and projects of requested refreshes that could not be read yet. */
  #requested: readonly Doubt[] = [];
  #isAllRequested = false;
  /** All doubts by events and people that could not be read yet. */
  #waiting: readonly Doubt[] = [];
  /** The ids of the environments that recent events have named. */
  named: ReadonlySet<string> = new Set();
  /** The deletions by infrasync between the last two reads of the events; undefined: events are missing. */
  deletions: readonly ReportedDeletion[] | undefined;

  constructor(settings: WatchSettings) {
    this.#settings = settings;
    this.hints = new EventHints(settings.clock);
  }

  /** Requests a refresh by id: the next one reads these first, and known state stays until it can be read again. */
  ask(what: "everything" | readonly string[]): void {
    if (what === "everything") {
      this.#isAllRequested = true;
      return;
    }
    const at = this.#settings.clock.now();
    const requested = what.map((id) => ({ hints: [{ id }], environmentId: id, at }));
    this.#requested = [
      ...this.#requested.filter(({ environmentId = "" }) => !what.includes(environmentId)),
      ...requested,
    ];
  }

  /** Reads the events, and makes a store forget doubtful state, as far as it can be read again: so many requests. @param age of shared answers */
  async follow(
    client: Client,
    organizationId: string,
    live: LiveStore,
    count: () => void,
    age = 0,
  ): Promise<number> {
    const { clock, rateBudget } = this.#settings;
    this.#began = clock.now() - age;
    const {
      isAll: isAnything,
      isBlind,
      about,
      deletions,
    } = await this.hints.follow(client, organizationId, live, age);
    const isAll = isAnything || this.#isAllRequested;
    this.deletions = deletions;
    const now = clock.now();
    this.named = new Set(about.flatMap(({ environmentId }) => environmentId ?? []));
    const isAudited = isBlind || isAll || (await this.#audited(client, organizationId, live, now));
    const wasBlind = this.#isBlind;
    this.#isBlind = isBlind || !isAudited;
    if (this.#isBlind && !wasBlind) this.#rotation.doubt(now);
    count();
    const { suspects, unknown, pace } = rateBudget.checkingBudget;
    const whole = this.#rotation.wholeCost(live, organizationId);
    rateBudget.measured(whole);
    if (isAll && whole <= (this.#isAllRequested ? suspects : unknown)) {
      live.forgetAll();
      live.parts.outlasted(client.serverTime - age);
      this.#rotation.restart(now);
      this.#lastAudit = now;
      this.#nextAudit = rateBudget.nextAudit;
      this.#isAllRequested = false;
      this.#requested = [];
      this.#waiting = [];
      return whole;
    }
    if (isAll) {
      this.#isAllRequested = false;
      this.#rotation.doubt(now);
      live.parts.forgetAll();
    }
    const named = this.#forgetNamed([...this.#requested, ...about], live, suspects, age);
    this.#requested = this.#requested.filter((doubt) => this.#waiting.includes(doubt));
    rateBudget.named(named);
    // Unread changes of events stay in doubt, also for the next process.
    if (!isAll && this.#waiting.length === 0) live.parts.outlasted(client.serverTime - age);
    const usual = this.#isBlind ? longestBelief : rateBudget.usualPeriod;
    const limits = { now, usual, unknown: Math.max(0, unknown - named), pace };
    return named + this.#rotation.forgetDue(live, organizationId, limits);
  }

  /** Records the end of the requested reads. */
  looked(live: LiveStore, organizationId: string): void {
    this.#rotation.looked(live, organizationId, this.#began);
    this.#settings.rateBudget.measured(this.#rotation.wholeCost(live, organizationId));
  }

  /** The age of the known state of an environment or a project; undefined: nothing is known. */
  knowledgeOf(live: LiveStore, id: string): { since: number; staleAt: number } | undefined {
    const since = this.#rotation.knownSince(live, id);
    if (since === undefined) return undefined;
    const { period, checkingBudget } = this.#settings.rateBudget;
    const seen = this.#waiting.filter(({ environmentId }) => environmentId === id).map(({ at }) => at);
    return {
      since,
      staleAt: Math.min(
        since + 1.25 * period + 2 * checkingBudget.interval,
        ...seen.map((at) => at + 2 * checkingBudget.interval),
      ),
    };
  }

  /** Forgets state that events and people have named, as far as it can be read again. Returns the requests for that. */
  #forgetNamed(about: readonly Doubt[], live: LiveStore, suspects: number, age: number): number {
    let left = suspects;
    const waiting: Doubt[] = [];
    for (const doubt of about) {
      const cost = doubt.hints.reduce((sum, hint) => sum + live.costOf(hint), 0);
      if (cost > left) waiting.push(doubt);
      else {
        left -= cost;
        for (const hint of doubt.hints) live.forget(hint);
        this.hints.reading(doubt, age);
      }
    }
    this.#waiting = waiting;
    return suspects === Infinity ? 0 : suspects - left;
  }

  /** Audits, if it is due. Returns whether the server has the lists. */
  async #audited(client: Client, organizationId: string, live: LiveStore, now: number): Promise<boolean> {
    const isNothingKnown = [...live.known().contents.keys()].every((id) => id === organizationId);
    const isSetBack = now < this.#lastAudit;
    if (isNothingKnown || (now < this.#nextAudit && !isSetBack)) return !this.#isBlind;
    this.#lastAudit = now;
    this.#nextAudit = this.#settings.rateBudget.nextAudit;
    return this.#audit.run(client, organizationId, live);
  }
}
