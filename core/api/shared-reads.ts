/** Answers to reads that several clients of one token share. Times are in milliseconds since 1970. */
export interface SharedReads {
  /** The answer to a request that was sent at that time or later; undefined: there is none. */
  find(request: string, since: number): Promise<{ answer: unknown } | undefined>;
  /** Keeps an answer. Nobody changes it. @param begun when its request was sent */
  keep(request: string, begun: number, answer: unknown): void;
  /** The request that was sent where there was no answer has brought none. */
  giveUp(request: string): void;
}

/** Which answers of others a client takes for its own reads. Its own answers are for the others in any case. */
export interface SharedReadsUse {
  reads: SharedReads;
  /** The answers to requests that were sent at that time or later; Infinity: none. */
  since: number;
}

/** The same for the same read. */
export function requestKey(path: string, query: Readonly<Record<string, string | number | boolean>>): string {
  return `${path} ${JSON.stringify(query)}`;
}
