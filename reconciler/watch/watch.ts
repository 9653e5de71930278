import type { Client, Clock } from "../../core/api/index.ts";
import type { ReportedDeletion } from "../../core/state/events/index.ts";
import { type Doubt, EventHints, type LiveStore, type Subject } from "../../core/state/live/index.ts";
import type { RateBudget } from "./rate-budget.ts";
import { ListAudit } from "./audit.ts";
import { Rotation } from "./rotation.ts";

/** How long live state is believed where nothing says what has changed, in milliseconds. */
const longestBelief = 300_000;

/** The parts that `Watch` needs. */
export interface WatchSettings {
  clock: Clock;
  allowance: RateBudget;
}

/**
 * Keeps what is known of live state true with few requests: events say what has changed at once; an audit every five
 * minutes finds what was created or deleted without one; and everything is read again in turn. Events come first, then what
 * they name, and turns take what the share leaves.
 */
export class Watch {
  readonly #settings: WatchSettings;
  readonly #hints: EventHints;
  readonly #audit = new ListAudit();
  readonly #rotation = new Rotation();
  #lastAudit = -Infinity;
  #nextAudit = -Infinity;
  /** Whether neither events nor audits say what has changed. */
  #isBlind = false;
  #began = 0;
  /** Environments and projects that people want read again, and that could not be read yet. */
  #asked: readonly Doubt[] = [];
  #isAllAsked = false;
  /** Everything that events and people have named, and that could not be read yet. */
  #waiting: readonly Doubt[] = [];
  /** The ids of the environments that events have named. */
  #named: ReadonlySet<string> = new Set();
  #deletions: readonly ReportedDeletion[] | undefined;

  constructor(settings: WatchSettings) {
    this.#settings = settings;
    this.#hints = new EventHints(settings.clock);
  }

  /**
   * People want these environments or projects read anew, by their ids. The next look does so as far as the share suffices,
   * before everything else; what is known is not thrown away before it can be read again.
   */
  ask(what: "everything" | readonly string[]): void {
    if (what === "everything") {
      this.#isAllAsked = true;
      return;
    }
    const at = this.#settings.clock.now();
    const asked = what.map((id) => ({ hints: [{ id }], environmentId: id, at }));
    this.#asked = [
      ...this.#asked.filter(({ environmentId = "" }) => !what.includes(environmentId)),
      ...asked,
    ];
  }

  /**
   * Looks at the events, and makes a store forget what may not be true any more, as far as it can be read again now.
   *
   * @param count counts the requests that were sent
   * @param age how old answers may be that the client takes from others, in milliseconds
   * @returns how many requests it takes to read that again
   */
  async follow(
    client: Client,
    organizationId: string,
    live: LiveStore,
    count: () => void,
    age = 0,
  ): Promise<number> {
    const { clock, allowance } = this.#settings;
    this.#began = clock.now() - age;
    const {
      isAll: isAnything,
      isBlind,
      about,
      deletions,
    } = await this.#hints.follow(client, organizationId, live, age);
    const isAll = isAnything || this.#isAllAsked;
    this.#deletions = deletions;
    const now = clock.now();
    this.#named = new Set(about.flatMap(({ environmentId }) => environmentId ?? []));
    const isAudited = isBlind || isAll || (await this.#audited(client, organizationId, live, now));
    const wasBlind = this.#isBlind;
    this.#isBlind = isBlind || !isAudited;
    if (this.#isBlind && !wasBlind) this.#rotation.doubt(now);
    count();
    const { suspects, unknown, pace } = allowance.lookingBudget;
    const whole = this.#rotation.wholeCost(live, organizationId);
    allowance.measured(whole);
    if (isAll && whole <= (this.#isAllAsked ? suspects : unknown)) {
      live.forgetAll();
      live.remembered.outlasted(client.serverTime - age);
      this.#rotation.restart(now);
      this.#lastAudit = now;
      this.#nextAudit = allowance.nextAudit;
      this.#isAllAsked = false;
      this.#asked = [];
      this.#waiting = [];
      return whole;
    }
    if (isAll) {
      this.#isAllAsked = false;
      this.#rotation.doubt(now);
      live.remembered.forgetAll();
    }
    const named = this.#forgetNamed([...this.#asked, ...about], live, suspects, age);
    this.#asked = this.#asked.filter((doubt) => this.#waiting.includes(doubt));
    allowance.named(named);
    // What events have named and is not read again yet stays in doubt, also for the next process.
    if (!isAll && this.#waiting.length === 0) live.remembered.outlasted(client.serverTime - age);
    const usual = this.#isBlind ? longestBelief : allowance.usualPeriod;
    const limits = { now, usual, unknown: Math.max(0, unknown - named), pace };
    return named + this.#rotation.forgetDue(live, organizationId, limits);
  }

  /** Notes that the requested reads are done, as far as possible. */
  looked(live: LiveStore, organizationId: string): void {
    this.#rotation.looked(live, organizationId, this.#began);
    this.#settings.allowance.measured(this.#rotation.wholeCost(live, organizationId));
  }

  /** The ids of the environments that events have named lately. */
  get named(): ReadonlySet<string> {
    return this.#named;
  }

  /** The deletions by infrasync between the last two readings of the events; undefined if events are missing. */
  get deletions(): readonly ReportedDeletion[] | undefined {
    return this.#deletions;
  }

  /** The age of the known state of an environment or a project; undefined if nothing is known. */
  knowledgeOf(live: LiveStore, id: string): { since: number; staleAt: number } | undefined {
    const since = this.#rotation.knownSince(live, id);
    if (since === undefined) return undefined;
    const { period, lookingBudget } = this.#settings.allowance;
    const seen = this.#waiting.filter(({ environmentId }) => environmentId === id).map(({ at }) => at);
    return {
      since,
      staleAt: Math.min(
        since + 1.25 * period + 2 * lookingBudget.interval,
        ...seen.map((at) => at + 2 * lookingBudget.interval),
      ),
    };
  }

  /** Who has changed a resource last, by what and when, as far as the events say so. */
  authorOf(subject: Subject): string | undefined {
    return this.#hints.authorOf(subject);
  }

  /** When a resource was changed last, as far as the events that were read say so; by the clock of the server. */
  changedAt(subject: Subject): number | undefined {
    return this.#hints.changedAt(subject);
  }

  /** Forgets what events and people have named, as far as the requests suffice. Gives how many it takes to read that again. */
  #forgetNamed(about: readonly Doubt[], live: LiveStore, suspects: number, age: number): number {
    let left = suspects;
    const waiting: Doubt[] = [];
    for (const doubt of about) {
      const cost = doubt.hints.reduce((sum, hint) => sum + live.costOf(hint), 0);
      if (cost > left) waiting.push(doubt);
      else {
        left -= cost;
        for (const hint of doubt.hints) live.forget(hint);
        this.#hints.reading(doubt, age);
      }
    }
    this.#waiting = waiting;
    return suspects === Infinity ? 0 : suspects - left;
  }

  /** Audits, if it is time. Gives whether the server has the lists. */
  async #audited(client: Client, organizationId: string, live: LiveStore, now: number): Promise<boolean> {
    const isNothingKnown = [...live.known().contents.keys()].every((id) => id === organizationId);
    const isSetBack = now < this.#lastAudit;
    if (isNothingKnown || (now < this.#nextAudit && !isSetBack)) return !this.#isBlind;
    this.#lastAudit = now;
    this.#nextAudit = this.#settings.allowance.nextAudit;
    return this.#audit.run(client, organizationId, live);
  }
}
