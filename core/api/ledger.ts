/** For whom a request is sent: a person who waits for it, or a service that changes something, or that only looks. */
export type Purpose = "people" | "applying" | "looking";

/** Somebody who has spent requests of a token in the current window. */
export interface Spender {
  /** Undefined: somebody who is not in the ledger. */
  who: string | undefined;
  requests: number;
}

/** What became of a request that was entered in a ledger. */
export type Settlement =
  /** It never left this machine. */
  | { kind: "unsent" }
  /** It may have been counted; nobody knows. `isAnswer`: there was an answer, which says nothing about the quota. */
  | { kind: "silent"; isAnswer: boolean }
  | ({ kind: "told" } & QuotaFigure);

/** The quota of a token, as an answer tells it. */
export interface QuotaFigure {
  limit: number | undefined;
  remaining: number;
  /** The end of the window by the clock of the server, in seconds since 1970, and the milliseconds until then; undefined if the server does not say. */
  window: { reset: number; left: number } | undefined;
}

/** A request that may be sent now. */
export interface Entered {
  kind: "entered";
  /** To be called once, with what became of it. */
  settle(settlement: Settlement): void;
}

/** What a ledger says about a request. */
export type Entry =
  | Entered
  /** The window has nothing more for this purpose; `left`: milliseconds until the next one. */
  | { kind: "refused"; left: number; limit: number }
  /** Requests under way decide whether the window has one more. */
  | { kind: "later" }
  /** The ledger cannot be asked. */
  | { kind: "away"; reason: string };

/**
 * The ledger of a token: all processes that spend the token enter each request before it is sent, so that together they never
 * pass the quota.
 */
export interface Ledger {
  /** Asks for one request, before it is sent. */
  enter(purpose: Purpose): Promise<Entry>;
  /** Who has spent how much of the window, the most first, as far as this process knows. */
  readonly spenders: readonly Spender[];
}
