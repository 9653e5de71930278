/** The purpose of a request: a person waits for it, a service changes something with it, or a service only reads. */
export type Purpose = "people" | "applying" | "looking";

/** Somebody who has spent requests of a token in the current window. */
export interface Spender {
  /** Undefined for somebody who is not in the ledger. */
  who: string | undefined;
  requests: number;
}

/** The outcome of a request that was entered in a ledger. */
export type Settlement =
  /** The request never left this machine. */
  | { kind: "unsent" }
  /** The server may have counted the request. `isAnswer`: an answer arrived, but without the quota. */
  | { kind: "silent"; isAnswer: boolean }
  | ({ kind: "told" } & QuotaFigure);

/** The quota of a token, as an answer tells it. */
export interface QuotaFigure {
  limit: number | undefined;
  remaining: number;
  /** The end of the window by the clock of the server, in seconds since 1970, and the milliseconds until then; undefined if the server does not say. */
  window: { reset: number; left: number } | undefined;
}

/** The answer of a ledger to a request. */
export type Entry =
  | {
      kind: "entered";
      /** Call this once, with the fate of the request. */
      settle(settlement: Settlement): void;
    }
  /** The window has no request left for this purpose; `left`: milliseconds until the next window. */
  | { kind: "refused"; left: number; limit: number }
  /** Requests under way decide whether the window has a request left. */
  | { kind: "later" }
  /** The ledger cannot be reached. */
  | { kind: "away"; reason: string };

/**
 * The ledger of a token: all processes that spend the token enter each request before it is sent, so that together they
 * never pass the quota.
 */
export interface Ledger {
  /** Asks for one request, before it is sent. */
  enter(purpose: Purpose): Promise<Entry>;
  /** The spenders of the window and their requests, the largest first, as far as this process knows. */
  readonly spenders: readonly Spender[];
}
