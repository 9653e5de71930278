import PQueue from "p-queue";
import { BudgetMeter, figureIn } from "./budget.ts";
import { sleepUntil, type Clock } from "./clock.ts";
import { counted, timeLimit } from "../values/text.ts";
import { type ApiError, InterruptedError, QuotaError, RateLimitedError, UsedUpError } from "./errors.ts";
import { operationName, type RequestLine } from "./operation.ts";
import type { Entry, Settlement, Purpose, Spender } from "./ledger.ts";
import { failedTry, FIRST_PAUSE, LONGEST_RESET, type RetryPause, pauseAfter } from "./retry-delay.ts";
import type { Remedy } from "../problems/remedy.ts";
import type { ClientSettings } from "./settings.ts";
import type { RequestMeter } from "./meter.ts";
import type { HttpAnswer, NoAnswer } from "./transport.ts";

interface Closure {
  until: number;
  isDeclared: boolean;
  /** Whether nothing is left, by the server's own figures. */
  isUsedUp: boolean;
  /** Closed by a 429; otherwise because nothing was left. */
  limited: boolean;
  /** When it was first closed, without a successful request since. */
  since: number;
  /** When its end was set. */
  closedAt: number;
}

/** Whether the signal ends an unsent request, or only its wait for the quota. `saving` may also exceed the cap. */
export type How = "until the signal" | "finishing" | "saving";

type GateSettings = Pick<
  ClientSettings,
  "onQuota" | "onQuotaIn" | "quotaPatience" | "signal" | "onWait" | "ledger"
>;

/** The answer of the ledger to a request that it does not enter. */
type LedgerRefusal = Exclude<Entry, { kind: "entered" }>;

/** Milliseconds between two questions to the ledger while requests under way decide. */
const nextRefresh = 200;

/**
 * Decides when a request may be sent. All requests of a client pass it: a limited number at once and never more than
 * the quota has left, none while the quota is used up or the server demands a pause (429), none above the cap except to
 * save data that would be lost halfway. It begins with one request, to learn the quota. Each answer then doubles the
 * number at once; after a 429 it starts again, and each answer adds one.
 */
export class Gate {
  readonly meter = new BudgetMeter();
  readonly #queue = new PQueue({ concurrency: 1 });
  readonly #settings: GateSettings;
  readonly #concurrency: number;
  readonly #clock: Clock;
  #pace = 1;
  #wasLimited = false;
  #turnedAway = 0;
  #closure: Closure | undefined;
  #since: number | undefined;
  #opening: Promise<void> | undefined;
  /** Waits until the end of the window that the ledger reserves for others. */
  readonly #nextWindow = new Map<Purpose, Promise<void>>();

  constructor(settings: GateSettings, concurrency: number, clock: Clock) {
    this.#settings = settings;
    this.#concurrency = concurrency;
    this.#clock = clock;
  }

  /** Sends a request as soon as possible. @throws InterruptedError, QuotaError, RateLimitedError: it was not sent. */
  async pass(
    operation: RequestLine,
    how: How,
    meter: RequestMeter,
    purpose: Purpose,
    send: () => Promise<HttpAnswer | NoAnswer>,
  ): Promise<HttpAnswer | NoAnswer> {
    for (;;) {
      await this.#opened();
      const reply = await this.#queue.add(async () => {
        this.#check(operation, how, meter);
        if (this.#closed()) return undefined;
        const { ledger } = this.#settings;
        const entry = ledger && (await ledger.enter(how === "saving" ? "people" : purpose));
        const isEntered = entry === undefined || entry.kind === "entered";
        if (!isEntered && !isPassed(entry, how, purpose)) return entry;
        let received: HttpAnswer | NoAnswer | undefined;
        try {
          // During the question to the ledger, another request may have reached the cap, or a signal may have arrived.
          if (entry) this.#check(operation, how, meter);
          if (this.#closed()) return undefined;
          const sent = this.meter.sent();
          meter.add(operationName(operation));
          received = await send();
          this.#learn(received, sent);
          return received;
        } finally {
          if (entry?.kind === "entered") entry.settle(settlementOf(received, this.#clock.now()));
        }
      });
      if (reply === undefined) continue;
      if (reply.kind === "answer" || reply.kind === "none") return reply;
      await this.#waitForLedger(operation, how, purpose, reply);
    }
  }

  /** Waits until the ledger may enter the request. @throws QuotaError, InterruptedError */
  async #waitForLedger(
    operation: RequestLine,
    how: How,
    purpose: Purpose,
    entry: LedgerRefusal,
  ): Promise<void> {
    const { signal, onQuota, quotaPatience = 0, onWait } = this.#settings;
    const where = `${operation.method} ${operation.path}`;
    if (entry.kind === "away")
      throw new QuotaError(
        `${where} was not sent: the ledger of the token cannot be reached (${entry.reason}), and services send nothing without it`,
        { ...operation, remedies: [{ again: "later" }] },
      );
    if (entry.kind === "refused" && onQuota === "fail" && entry.left > quotaPatience) {
      const resetAt = new Date(this.#clock.now() + entry.left);
      const share = purpose === "people" ? "" : ", except the part kept for others,";
      const by = this.#spentBy(entry.limit);
      throw new QuotaError(
        `${where} was not sent: the quota of the token is spent${share} until ${resetAt.toISOString()}${by}`,
        { ...operation, resetAt, remedies: [{ again: "later" }, this.#waiting()] },
      );
    }
    if (entry.kind === "later") {
      // A request that has to be finished keeps waiting, since this is not a wait for the quota.
      const ends = how === "until the signal" ? signal : undefined;
      await this.#clock.sleep(nextRefresh, ends);
      if (!ends?.aborted) return;
    } else {
      const waiting =
        this.#nextWindow.get(purpose) ??
        (async () => {
          const until = this.#clock.now() + entry.left;
          onWait?.({ reason: "quota", until: new Date(until), attempt: 0 });
          await sleepUntil(this.#clock, () => until, signal);
          this.#nextWindow.delete(purpose);
        })();
      this.#nextWindow.set(purpose, waiting);
      await waiting;
      if (!signal?.aborted) return;
    }
    throw new InterruptedError(`${where} was not sent: interrupted`, operation);
  }

  #check(operation: RequestLine, how: How, meter: RequestMeter): void {
    const { signal } = this.#settings;
    const where = `${operation.method} ${operation.path}`;
    const closed = this.#closed();
    const isEnded = signal?.aborted && (how === "until the signal" || closed);
    if (isEnded) throw new InterruptedError(`${where} was not sent: interrupted`, operation);
    if (how !== "saving" && meter.left === 0) {
      throw new QuotaError(
        `${where} was not sent: this run has sent its ${counted(meter.cap ?? 0, "request")}`,
        { ...operation, remedies: [{ setting: "max_requests" }, { again: "run" }] },
      );
    }
    if (!closed || this.#waitsFor(closed)) return;
    throw this.#refusal(operation, closed);
  }

  /** Ends a request that has closed the gate. @throws RateLimitedError */
  refuse(operation: RequestLine): void {
    if (this.#closure) throw this.#refusal(operation, this.#closure);
  }

  /** The error of a request for which the run does not wait. */
  #refusal(
    operation: RequestLine,
    { until, isDeclared, isUsedUp, limited, since, closedAt }: Closure,
  ): ApiError {
    const resetAt = isDeclared ? new Date(until) : undefined;
    const lasted = this.#clock.now() - since;
    const why = isUsedUp
      ? `the quota of the token is used up ${resetAt ? `until ${resetAt.toISOString()}` : "and the server does not say until when"}`
      : resetAt
        ? `the server takes no requests for a while (429) and asks to wait until ${resetAt.toISOString()}`
        : `the server takes no requests for a while (429${lasted > 0 ? `, for ${timeLimit(lasted)} now` : ""}) and does not say until when`;
    const by = isUsedUp ? this.#spentBy(this.meter.read(this.#clock.now()).limit) : "";
    const what = `${operation.method} ${operation.path} was not carried out: ${why}${by}`;
    const mayWait = until - closedAt <= LONGEST_RESET;
    const remedies: Remedy[] = [
      { again: "later" },
      ...(isUsedUp || !mayWait ? [] : [{ setting: "quota_patience" } as const]),
      ...(mayWait ? [this.#waiting()] : []),
    ];
    if (!limited) return new QuotaError(what, { ...operation, resetAt, remedies });
    const Refusal = isUsedUp ? UsedUpError : RateLimitedError;
    return new Refusal(what, { ...operation, status: 429, resetAt, remedies });
  }

  /** The remedy that lets the run wait. */
  #waiting(): Remedy {
    const { onQuotaIn } = this.#settings;
    return { setting: "on_quota", value: "wait", ...(onQuotaIn !== undefined && { file: onQuotaIn }) };
  }

  #spentBy(limit: number | undefined): string {
    return spentBy(this.#settings.ledger?.spenders ?? [], limit);
  }

  /** Whether the run waits until the gate opens: it may wait at all, or the gate opens soon enough. */
  #waitsFor({ until, since, closedAt }: Closure): boolean {
    const { onQuota, quotaPatience = 0 } = this.#settings;
    return onQuota === "wait" ? until - closedAt <= LONGEST_RESET : until - since <= quotaPatience;
  }

  #closed(): Closure | undefined {
    return this.#closure && this.#closure.until > this.#clock.now() ? this.#closure : undefined;
  }

  /** Resolves when the gate is open, when `check` has to refuse, or on the signal. */
  async #opened(): Promise<void> {
    const closed = this.#closed();
    if (!closed || !this.#waitsFor(closed)) return;
    this.#opening ??= this.#waitForOpening();
    await this.#opening;
  }

  async #waitForOpening(): Promise<void> {
    try {
      const until = () => (this.#closure && this.#waitsFor(this.#closure) ? this.#closure.until : 0);
      const reason = this.#closure?.isUsedUp ? "quota" : "limited";
      this.#settings.onWait?.({ reason, until: new Date(until()), attempt: this.#turnedAway });
      await sleepUntil(this.#clock, until, this.#settings.signal);
    } finally {
      this.#opening = undefined;
    }
  }

  #learn(reply: HttpAnswer | NoAnswer, sent: number): void {
    const now = this.#clock.now();
    this.meter.learn(reply.headers, sent, now);
    const isLimited = reply.kind === "answer" && reply.status === 429;
    // Answers that arrive while the gate is closed belong to earlier requests and tell nothing about the present quota.
    if (reply.kind === "answer" && !this.#closed()) {
      this.#turnedAway = isLimited ? this.#turnedAway + 1 : 0;
      this.#wasLimited ||= isLimited;
      const faster = this.#wasLimited ? this.#pace + 1 : this.#pace * 2;
      this.#pace = isLimited ? 1 : Math.min(faster, this.#concurrency);
    }
    const { remaining, resetAt } = this.meter.read(now);
    if (reply.kind === "answer" && !isLimited && !this.#closed()) this.#since = undefined;
    if (isLimited || remaining === 0) {
      const failed = failedTry(reply, Math.max(1, this.#turnedAway));
      const pause = pauseAfter(failed, remaining, now, this.#clock.random());
      this.#close(now, pause, { limited: isLimited, isUsedUp: remaining === 0, resetAt });
    }
    this.#queue.concurrency = Math.max(1, Math.min(this.#pace, remaining ?? this.#concurrency));
  }

  #close(
    now: number,
    { milliseconds, isDeclared }: RetryPause,
    { limited, isUsedUp, resetAt }: { limited: boolean; isUsedUp: boolean; resetAt: Date | undefined },
  ): void {
    const closed = this.#closed();
    this.#since ??= now;
    const requested = Math.max(now + milliseconds, (isUsedUp && resetAt?.getTime()) || 0);
    const { quotaPatience = 0 } = this.#settings;
    const end = this.#since + quotaPatience;
    // The last of the growing pauses ends with the patience.
    const until = isDeclared || now + FIRST_PAUSE > end ? requested : Math.min(requested, end);
    const isLonger = closed === undefined || until > closed.until;
    this.#closure = {
      until: isLonger ? until : closed.until,
      isDeclared: isLonger ? isDeclared || (isUsedUp && resetAt !== undefined) : closed.isDeclared,
      isUsedUp: isUsedUp || (closed?.isUsedUp ?? false),
      limited: limited || (closed?.limited ?? false),
      since: this.#since,
      closedAt: isLonger ? now : closed.closedAt,
    };
  }
}

/** Whether a request needs no entry in the ledger: people, and requests that save data, do not wait for one. */
function isPassed(entry: LedgerRefusal, how: How, purpose: Purpose): boolean {
  return entry.kind === "away" && (how === "saving" || purpose === "people");
}

/** @param reply undefined if the request was not sent after all */
function settlementOf(reply: HttpAnswer | NoAnswer | undefined, now: number): Settlement {
  if (!reply) return { kind: "unsent" };
  const figure = figureIn(reply.headers, now);
  if (figure) return { kind: "reported", ...figure };
  if (reply.kind === "none" && !reply.sent) return { kind: "unsent" };
  return { kind: "silent", isAnswer: reply.kind === "answer" };
}

const mostSpenders = 3;

/** The largest spenders of a quota, for a message; empty without a ledger. @param limit the quota of a window */
export function spentBy(spenders: readonly Spender[], limit: number | undefined): string {
  const shown = spenders.slice(0, mostSpenders).map(({ who, requests }, index) => {
    const of = index === 0 && limit !== undefined ? ` of ${limit}` : "";
    return `${requests}${of} by ${who ?? "others, who are not in the ledger"}`;
  });
  return shown.length === 0 ? "" : `; spent: ${shown.join(", ")}`;
}
