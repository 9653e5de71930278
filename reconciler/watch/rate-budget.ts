import type { Budget, Clock } from "../../core/api/index.ts";
import { periodOf, type ReadBudget, lookingBudgetOf } from "./read-budget.ts";
import { TokenUsers } from "./token-users.ts";
import { intervalAt, type SharedReader, type SharedRefreshes } from "./shared-refreshes.ts";
import { QuotaWindow } from "./window.ts";
import Type from "typebox";
import type { BudgetShares } from "../../adapters/database/index.ts";
import { form } from "../../core/outputs/forms/forms.ts";
import { readStoredFile, store } from "../../core/files/stored-form.ts";

export const defaultShares: BudgetShares = { looking: 20, applying: 60 };

/** The allowance as people see it: the spent and the allowed requests of a window, and times in milliseconds. */
export interface RateBudgetView extends Record<keyof BudgetShares, { spent: number; allowed: number }> {
  /** Between two looks at the events. */
  interval: number;
  /** Within so long everything is read again in turn. */
  period: number;
}

const spentForm = form({ end: Type.Number(), spent: Type.Number() });
/** What an earlier process has spent. */
const spendingForm = form({ looking: spentForm, applying: spentForm });

const hour = 3_600_000;
/** So long somebody who has looked is believed to look, and something that deploys to deploy. */
const attentionSpan = 60_000;
/** Between two reads while somebody looks or something deploys. */
const attentionInterval = 10_000;

/** The parts that an allowance needs. */
export interface RateBudgetSettings {
  clock: Clock;
  /** Milliseconds between two looks. */
  interval: number;
  shares?: BudgetShares;
  /** The sources that spend the same token; default: this one alone. */
  tokenUsers?: TokenUsers;
  /** A file in which is what was spent, for the next process; default: it is not kept. */
  file?: string;
  /** Whether no process can have spent anything before, so that a file that is not there is no loss. */
  isFirst?: boolean;
}

/**
 * Divides the quota of the token: looking and applying have a share of each window, so that the rest is left for others.
 * Nothing is limited as long as the server does not say what the quota is.
 */
export class RateBudget implements SharedReader {
  readonly #settings: RateBudgetSettings;
  readonly #tokenUsers: TokenUsers;
  #looking: QuotaWindow;
  #applying: QuotaWindow;
  /** With whom it shares what it reads. */
  #looks: SharedRefreshes | undefined;
  #isOpened = false;
  #lastLook = -Infinity;
  #attentiveUntil = -Infinity;
  /** How many requests it takes to read everything once. */
  #wholeCost = 0;
  /** Requests of the last hour that read what events named. */
  #byEvents: { at: number; requests: number }[] = [];

  constructor(settings: RateBudgetSettings) {
    this.#settings = settings;
    this.#tokenUsers = settings.tokenUsers ?? new TokenUsers(settings.clock);
    this.#looking = this.#window("looking");
    this.#applying = this.#window("applying");
  }

  /** Takes in what an earlier process has spent. Where that is not known, it may have been all that the token has spent. */
  async open(): Promise<void> {
    const { clock, file, isFirst = false } = this.#settings;
    if (this.#isOpened) return;
    this.#isOpened = true;
    if (file === undefined) return;
    const before = (await readStoredFile(spendingForm, file))?.content;
    const left = (record: { end: number; spent: number } | undefined) =>
      record && record.end > clock.now() ? record.spent : 0;
    const unknown = isFirst ? 0 : Infinity;
    this.#leave();
    this.#looking = this.#window("looking", before ? left(before.looking) : unknown);
    this.#applying = this.#window("applying", left(before?.applying));
  }

  /** Shares what is read with others from now on; undefined: with nobody. */
  share(looks: SharedRefreshes | undefined): void {
    if (this.#looks !== looks) this.#looks?.leave(this);
    this.#looks = looks;
    looks?.join(this);
  }

  /** Leaves the token to the others that share it. */
  close(): void {
    this.share(undefined);
    this.#leave();
  }

  #leave(): void {
    this.#looking.leave();
    this.#applying.leave();
  }

  #window(purpose: keyof BudgetShares, before = 0): QuotaWindow {
    const { clock, shares = defaultShares } = this.#settings;
    const all = this.#tokenUsers;
    return new QuotaWindow(clock, { percent: shares[purpose], before, tokenUsers: all[purpose], all });
  }

  /**
   * Notes for the next process what was spent.
   *
   * @param begun requests that are sent next, whatever becomes of this process
   * @param isForCommit whether they are for a commit
   */
  async keep(begun = 0, isForCommit = false): Promise<void> {
    const { file } = this.#settings;
    if (file === undefined) return;
    const [looking, applying] = [this.#looking.record, this.#applying.record];
    const lent = isForCommit ? this.#beyondLooking(begun) : 0;
    await store(file, {
      looking: { ...looking, spent: looking.spent + begun - lent },
      applying: { ...applying, spent: applying.spent + lent },
    });
  }

  /** Milliseconds between two looks, as set. */
  get interval(): number {
    return this.#settings.interval;
  }

  /**
   * Counts the requests of a look.
   *
   * @param purpose `all`: they are for all that share what they read; `commit`: what looking may not spend is paid by applying
   */
  looked(requests: number, budget: Budget, purpose?: "all" | "commit"): void {
    const lent = purpose === "commit" ? this.#beyondLooking(requests) : 0;
    if (purpose === "all" && this.#looks) this.#looks.paid(requests, budget);
    else this.pay(requests - lent, budget);
    if (lent > 0) this.applied(lent, budget);
    this.#lastLook = this.#settings.clock.now();
  }

  #beyondLooking(requests: number): number {
    return Math.max(0, requests - this.lookingBudget.suspects);
  }

  /** The requests that reading for a commit may take from the share for applying now: the other half is for its changes. */
  get lendable(): number {
    const { allowed, spent } = this.#applying;
    return Math.max(0, Math.floor((allowed - spent) / 2));
  }

  pay(requests: number, budget: Budget): void {
    this.#looking.spend(requests, budget);
  }

  /** The requests that looking may spend now. */
  get lookingBudget(): ReadBudget {
    const { clock, interval } = this.#settings;
    const { allowed, spent, end, all } = this.#looking;
    return lookingBudgetOf({
      allowed,
      spent,
      end,
      now: clock.now(),
      interval,
      spenders: this.#spenders,
      ...(this.#looks?.isShared && { all }),
    });
  }

  /** Whether the share is too small for a look in each interval. */
  get isScarce(): boolean {
    return this.lookingBudget.interval > this.#settings.interval;
  }

  /** When the next audit is due, in milliseconds since 1970: those who share what they read audit at the same time. */
  get nextAudit(): number {
    const now = this.#settings.clock.now();
    const { auditInterval } = this.lookingBudget;
    return (this.#looks?.isShared ? intervalAt(now, auditInterval) : now) + auditInterval;
  }

  /** The number of sources that share their reads, in this process and in others. */
  get #spenders(): number {
    if (!this.#looks) return 1;
    return this.#looks.size + (this.#looks.hasOthers ? this.#tokenUsers.elsewhere("looking").length : 0);
  }

  /** Notes how many requests it takes to read everything once. */
  measured(wholeCost: number): void {
    this.#wholeCost = wholeCost;
  }

  /** Notes requests of a look that are for what events have named. */
  named(requests: number): void {
    const now = this.#settings.clock.now();
    this.#byEvents = [...this.#byEvents.filter(({ at }) => at > now - hour), { at: now, requests }];
  }

  /** Milliseconds within which everything is read again in turn where the share suffices: an hour, with the looks around it. */
  get usualPeriod(): number {
    const { interval } = this.#settings;
    return Math.max(interval, hour - 2 * interval);
  }

  /** Milliseconds within which everything is read again in turn. */
  get period(): number {
    const { allowed } = this.#looking;
    const byEvents = this.#byEvents.reduce((sum, { requests }) => sum + requests, 0);
    return periodOf(
      { allowed, interval: this.#settings.interval, spenders: this.#spenders },
      this.#wholeCost,
      byEvents,
      this.usualPeriod,
    );
  }

  /** Counts requests that were sent to change something. */
  applied(requests: number, budget: Budget): void {
    this.#applying.spend(requests, budget);
  }

  /** How many requests may be sent now to change something. What exceeds a whole share starts with a new window. */
  affordable(budget: Budget): number {
    this.#applying.spend(0, budget);
    const { spent, allowed } = this.#applying;
    return this.#tokenUsers.isUntouched ? Infinity : allowed - spent;
  }

  /** When the next look may be, in milliseconds since 1970. */
  get nextLiveRead(): number {
    return this.#lastLook + this.lookingBudget.interval;
  }

  /** Somebody looks, or something deploys: it is read more often for a while. Gives whether that is new. */
  attend(): boolean {
    const now = this.#settings.clock.now();
    const isNew = this.#attentiveUntil < now;
    this.#attentiveUntil = now + attentionSpan;
    return isNew;
  }

  /**
   * When the next read is due because somebody looks or something deploys, in milliseconds since 1970; undefined: nobody does,
   * or the share has nothing left beside the usual reads and what is kept back for events.
   */
  get attention(): number | undefined {
    if (this.#attentiveUntil < this.#settings.clock.now()) return undefined;
    const { interval, unknown } = this.lookingBudget;
    const isSpare = unknown > this.#looking.allowed / 20 || this.#looking.allowed === Infinity;
    return isSpare ? this.#lastLook + Math.min(interval, attentionInterval) : undefined;
  }

  /** Why live resources are read less often than is set, in words; undefined: they are not, or nobody knows the quota yet. */
  get reasonForInterval(): string | undefined {
    const { interval: set, shares = defaultShares } = this.#settings;
    const { interval } = this.lookingBudget;
    const limit = this.#looking.limit ?? this.#applying.limit;
    if (limit === undefined || interval <= set) return undefined;
    const seconds = (time: number) => `${Math.round(time / 1000)} s`;
    return `live resources are checked every ${seconds(interval)} instead of ${seconds(set)}: checks have ${shares.looking} % of the quota of ${limit} requests an hour (budget_share); while something deploys or somebody watches, they are checked more often, as far as this suffices`;
  }

  /** Undefined while the quota is not known. */
  view(): RateBudgetView | undefined {
    const [looking, applying] = [this.#looking, this.#applying];
    const limit = looking.limit ?? applying.limit;
    if (limit === undefined) return undefined;
    return {
      // As long as one of them is not known, it is the same token, as far as is known.
      looking: { spent: looking.spent, allowed: looking.allowedOf(limit) },
      applying: { spent: applying.spent, allowed: applying.allowedOf(limit) },
      interval: this.lookingBudget.interval,
      period: this.period,
    };
  }
}
