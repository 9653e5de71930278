import type { Budget, Clock } from "../../core/api/index.ts";
import { periodOf, type ReadBudget, checkingBudgetOf } from "./read-budget.ts";
import { TokenUsers } from "./token-users.ts";
import { intervalAt, type SharedReader, type SharedRefreshes } from "./shared-refreshes.ts";
import { QuotaWindow } from "./window.ts";
import Type from "typebox";
import type { BudgetShares } from "../../adapters/database/index.ts";
import { form, orNull } from "../../core/outputs/forms/forms.ts";
import { openStored, store, type StoredForm } from "../../core/files/stored-form.ts";

export const defaultShares: BudgetShares = { checking: 20, applying: 60 };

/** The budget for people: spent and allowed requests of a window, and times in milliseconds. */
export interface RateBudgetView extends Record<keyof BudgetShares, { spent: number; allowed: number }> {
  /** Between two reads of the events. */
  interval: number;
  /** The time within which everything is read again in turn. */
  period: number;
}

/** `spent`: null while nobody knows how much. */
const spentForm = form({ end: Type.Number(), spent: orNull(Type.Number()) });
const spendingForm = form({ checking: spentForm, applying: spentForm });

const hour = 3_600_000;
/** Milliseconds for which a visitor counts as watching, and a deployment as running. */
const attentionSpan = 60_000;
/** Milliseconds between two reads during a visit or a deployment. */
const attentionInterval = 10_000;
const mostForVisitor = 20;

export interface RateBudgetSettings {
  clock: Clock;
  /** Milliseconds between two refreshes. */
  interval: number;
  shares?: BudgetShares;
  /** The sources that spend the same token; default: only this one. */
  tokenUsers?: TokenUsers;
  /** The file with the spending, for the next process; default: none. */
  file?: string;
}

/** Divides the quota of the token: refreshing and applying each have a share of a window, and the rest is for others. */
export class RateBudget implements SharedReader {
  readonly #settings: RateBudgetSettings;
  readonly #tokenUsers: TokenUsers;
  #checking: QuotaWindow;
  #applying: QuotaWindow;
  #refreshes: SharedRefreshes | undefined;
  #isOpened = false;
  #lastRefresh = -Infinity;
  #attentiveUntil = -Infinity;
  #visitorUntil = -Infinity;
  /** The number of requests that read everything once. */
  #wholeCost = 0;
  /** Requests of the last hour that read resources of events. */
  #byEvents: { at: number; requests: number }[] = [];

  constructor(settings: RateBudgetSettings) {
    this.#settings = settings;
    this.#tokenUsers = settings.tokenUsers ?? new TokenUsers(settings.clock);
    this.#checking = this.#window("checking");
    this.#applying = this.#window("applying");
  }

  /**
   * Adds the spending of an earlier process. If unknown, it may be all that the token has spent. Returns the report of a damage.
   *
   * @param isFirst whether no process can have spent anything before, so that a missing file is no loss
   */
  async open(isFirst = false): Promise<string | undefined> {
    const { clock, file } = this.#settings;
    if (this.#isOpened || file === undefined) return undefined;
    const consequence = "all that the token has spent counts as spent by this service";
    const { content, damage } = (await openStored(spendingForm, file, consequence)) ?? {};
    this.#isOpened = true;
    const unknown = isFirst && damage === undefined ? 0 : Infinity;
    const left = (record: StoredForm<typeof spentForm> | undefined) => {
      if (!record) return unknown;
      return record.end > clock.now() ? (record.spent ?? Infinity) : 0;
    };
    this.#leave();
    this.#checking = this.#window("checking", left(content?.checking));
    this.#applying = this.#window("applying", left(content?.applying));
    return damage;
  }

  /** Shares reads with others from now on; undefined: with nobody. */
  share(refreshes: SharedRefreshes | undefined): void {
    if (this.#refreshes !== refreshes) this.#refreshes?.leave(this);
    this.#refreshes = refreshes;
    refreshes?.join(this);
  }

  /** Leaves the token to the others that share it. */
  close(): void {
    this.share(undefined);
    this.#leave();
  }

  #leave(): void {
    this.#checking.leave();
    this.#applying.leave();
  }

  #window(purpose: keyof BudgetShares, before = 0): QuotaWindow {
    const { clock, shares = defaultShares } = this.#settings;
    const all = this.#tokenUsers;
    return new QuotaWindow(clock, { percent: shares[purpose], before, tokenUsers: all[purpose], all });
  }

  /** Records the spending for the next process. @param started requests that are sent next @param isForCommit whether for a commit */
  async keep(started = 0, isForCommit = false): Promise<void> {
    const { file } = this.#settings;
    if (file === undefined) return;
    const [checking, applying] = [this.#checking.record, this.#applying.record];
    const lent = isForCommit ? this.#beyondChecking(started) : 0;
    await store(file, {
      // JSON has null for Infinity.
      checking: { ...checking, spent: checking.spent + started - lent },
      applying: { ...applying, spent: applying.spent + lent },
    });
  }

  /** Milliseconds between two refreshes, as configured. */
  get interval(): number {
    return this.#settings.interval;
  }

  /** Counts the requests of a refresh. @param purpose `all`: for all sharing sources; `commit`: applying pays beyond the share of refreshing */
  looked(requests: number, budget: Budget, purpose?: "all" | "commit"): void {
    const lent = purpose === "commit" ? this.#beyondChecking(requests) : 0;
    if (purpose === "all" && this.#refreshes) this.#refreshes.paid(requests, budget);
    else this.pay(requests - lent, budget);
    if (lent > 0) this.applied(lent, budget);
    this.#lastRefresh = this.#settings.clock.now();
  }

  #beyondChecking(requests: number): number {
    return Math.max(0, requests - this.checkingBudget.suspects);
  }

  /** The requests that reading for a commit may take from the share for applying: the other half is for changes. */
  get lendable(): number {
    const { allowed, spent } = this.#applying;
    return Math.max(0, Math.floor((allowed - spent) / 2));
  }

  pay(requests: number, budget: Budget): void {
    this.#checking.spend(requests, budget);
  }

  get checkingBudget(): ReadBudget {
    const { clock, interval } = this.#settings;
    const { allowed, spent, end, all } = this.#checking;
    return checkingBudgetOf({
      allowed,
      spent,
      end,
      now: clock.now(),
      interval,
      spenders: this.#spenders,
      ...(this.#refreshes?.isShared && { all }),
    });
  }

  /** Whether the share is too small for a refresh in each interval. */
  get isScarce(): boolean {
    return this.checkingBudget.interval > this.#settings.interval;
  }

  /** When the next audit is due, in milliseconds since 1970: sources that share reads audit at the same time. */
  get nextAudit(): number {
    const now = this.#settings.clock.now();
    const { auditInterval } = this.checkingBudget;
    return (this.#refreshes?.isShared ? intervalAt(now, auditInterval) : now) + auditInterval;
  }

  /** The number of sources that share their reads, in all processes. */
  get #spenders(): number {
    if (!this.#refreshes) return 1;
    return (
      this.#refreshes.size + (this.#refreshes.hasOthers ? this.#tokenUsers.elsewhere("checking").length : 0)
    );
  }

  /** @param wholeCost the number of requests that read everything once */
  measured(wholeCost: number): void {
    this.#wholeCost = wholeCost;
  }

  named(requests: number): void {
    const now = this.#settings.clock.now();
    this.#byEvents = [...this.#byEvents.filter(({ at }) => at > now - hour), { at: now, requests }];
  }

  /** Milliseconds within which everything is read again if the share suffices: an hour, with refreshes around it. */
  get usualPeriod(): number {
    const { interval } = this.#settings;
    return Math.max(interval, hour - 2 * interval);
  }

  /** Milliseconds within which everything is read again in turn. */
  get period(): number {
    const { allowed } = this.#checking;
    const byEvents = this.#byEvents.reduce((sum, { requests }) => sum + requests, 0);
    return periodOf(
      { allowed, interval: this.#settings.interval, spenders: this.#spenders },
      this.#wholeCost,
      byEvents,
      this.usualPeriod,
    );
  }

  applied(requests: number, budget: Budget): void {
    this.#applying.spend(requests, budget);
  }

  /** The requests for changes now. A run that exceeds a whole share starts with a new window. */
  affordable(budget: Budget): number {
    this.#applying.spend(0, budget);
    const { spent, allowed } = this.#applying;
    return this.#tokenUsers.isUntouched ? Infinity : allowed - spent;
  }

  /** When the next refresh may be, in milliseconds since 1970. */
  get nextLiveRead(): number {
    return this.#lastRefresh + this.checkingBudget.interval;
  }

  /** Reads more often for a while, for a deployment or for who asks; only for a person, addresses too. Returns whether that is new. */
  attend(by: "person" | "program" | "deployment" = "deployment"): boolean {
    const now = this.#settings.clock.now();
    if (by === "person") this.#visitorUntil = now + attentionSpan;
    const isNew = this.#attentiveUntil < now;
    this.#attentiveUntil = now + attentionSpan;
    return isNew;
  }

  /** The next read for a visitor or a deployment; undefined: there is none, or no requests are spare beside the usual reads and events. */
  get attention(): number | undefined {
    if (this.#attentiveUntil < this.#settings.clock.now()) return undefined;
    const { interval, unknown } = this.checkingBudget;
    const isSpare = unknown > this.#checking.allowed / 20 || this.#checking.allowed === Infinity;
    return isSpare ? this.#lastRefresh + Math.min(interval, attentionInterval) : undefined;
  }

  /** How many requests may be spent on what only somebody who looks needs: none where nobody does, or where no more reads are spare. */
  get forVisitor(): number {
    if (this.#visitorUntil < this.#settings.clock.now() || this.attention === undefined) return 0;
    return Math.min(mostForVisitor, Math.floor(this.checkingBudget.unknown / 10));
  }

  /** Why live resources are read less often than configured, in words; undefined: they are not, or it is unknown. */
  get reasonForInterval(): string | undefined {
    const { interval: set, shares = defaultShares } = this.#settings;
    const { interval } = this.checkingBudget;
    const limit = this.#checking.limit ?? this.#applying.limit;
    if (limit === undefined || interval <= set) return undefined;
    const seconds = (time: number) => `${Math.round(time / 1000)} s`;
    return `live resources are checked every ${seconds(interval)} instead of ${seconds(set)}: checks have ${shares.checking} % of the quota of ${limit} requests an hour (budget_share); during deployments, and while the page is open, checks are more frequent within this share`;
  }

  /** Undefined while the quota is unknown. */
  view(): RateBudgetView | undefined {
    const [checking, applying] = [this.#checking, this.#applying];
    const limit = checking.limit ?? applying.limit;
    if (limit === undefined) return undefined;
    return {
      // While one of them is unknown, both are assumed to have the same token.
      checking: { spent: checking.spent, allowed: checking.allowedOf(limit) },
      applying: { spent: applying.spent, allowed: applying.allowedOf(limit) },
      interval: this.checkingBudget.interval,
      period: this.period,
    };
  }
}
