/** Who waits for a request: a person, a service that applies changes, or a service that only reads. */
export type Purpose = "people" | "applying" | "checking";

/** A spender of requests of a token in the current window. */
export interface Spender {
  /** Undefined: not in the ledger. */
  who: string | undefined;
  requests: number;
}

/** The outcome of a request in a ledger. */
export type Settlement =
  /** The request never left this machine. */
  | { kind: "unsent" }
  /** The server may have counted the request. `isAnswer`: an answer arrived, but without the quota. */
  | { kind: "silent"; isAnswer: boolean }
  | ({ kind: "reported" } & QuotaFigure);

/** The quota of a token in an answer. */
export interface QuotaFigure {
  limit: number | undefined;
  remaining: number;
  /** The end of the server's window, in seconds since 1970, and the milliseconds until then; undefined: unknown. */
  window: { reset: number; left: number } | undefined;
}

/** The answer of a ledger to a request. */
export type Entry =
  | {
      kind: "entered";
      /** Call it once, with the outcome of the request. */
      settle(settlement: Settlement): void;
    }
  /** The window has no request left for this purpose; `left`: milliseconds until the next window. */
  | { kind: "refused"; left: number; limit: number }
  /** Requests under way decide whether the window has a request left. */
  | { kind: "later" }
  /** The ledger is unreachable. */
  | { kind: "away"; reason: string };

/** The ledger of a token: all its processes enter each request before it is sent, and together respect the quota. */
export interface Ledger {
  /** Asks for one request, before it is sent. */
  enter(purpose: Purpose): Promise<Entry>;
  /** The known spenders of the window and their requests, the largest first. */
  readonly spenders: readonly Spender[];
}
