/** Answers to reads that several clients of one token share. Times are in milliseconds since 1970. */
export interface SharedReads {
  /** The answer to a request that was sent at that time or later; undefined: there is none. */
  find(request: string, since: number): Promise<{ answer: unknown } | undefined>;
  /** Shares an answer, which must not be changed. @param started when its request was sent */
  keep(request: string, started: number, answer: unknown): void;
  /** The request for a missing answer has failed. */
  giveUp(request: string): void;
}

/** The shared answers that a client accepts for its reads. Its own answers are shared in any case. */
export interface SharedReadsUse {
  reads: SharedReads;
  /** The answers to requests that were sent at that time or later; Infinity: none. */
  since: number;
}

/** Equal for the same read. */
export function requestKey(path: string, query: Readonly<Record<string, string | number | boolean>>): string {
  return `${path} ${JSON.stringify(query)}`;
}
