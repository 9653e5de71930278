import type { Budget, Clock, SharedReads, SharedReadsUse } from "../../core/api/index.ts";

/** A source that refreshes the same organization with the same token as others. */
export interface SharedReader {
  readonly interval: number;
  pay(requests: number, budget: Budget): void;
}

/** The tolerated difference between the clocks of sharing processes: milliseconds, and a part of the interval. */
const mostApart = 1000;
const partApart = 0.1;

/** The reads shared by sources of one organization and token, within an interval. A source with work to do reads again itself. */
export class SharedRefreshes implements SharedReads {
  readonly #clock: Clock;
  readonly #lookers = new Set<SharedReader>();
  readonly #known = new Map<string, { started: number; answer: unknown }>();
  /** The reads of other processes; undefined: there are none. */
  readonly #others: SharedReads | undefined;
  #wrote = -Infinity;
  #turn = 0;

  constructor(clock: Clock, others?: SharedReads) {
    this.#clock = clock;
    this.#others = others;
  }

  join(reader: SharedReader): void {
    this.#lookers.add(reader);
  }

  leave(reader: SharedReader): void {
    this.#lookers.delete(reader);
  }

  get size(): number {
    return this.#lookers.size;
  }

  /** Whether other processes may share reads. */
  get hasOthers(): boolean {
    return this.#others !== undefined;
  }

  /** Whether other sources share reads, in any process. */
  get isShared(): boolean {
    return this.size > 1 || this.hasOthers;
  }

  /** The reads of a new refresh. @param isOwn whether it takes none of others */
  begin({ interval }: SharedReader, isOwn: boolean): SharedReadsUse {
    const now = this.#clock.now();
    this.#forgetBefore(Math.min(...[...this.#lookers].map((reader) => this.#begin(now, reader.interval))));
    const since = Math.max(this.#begin(now, interval), this.#wrote);
    return { reads: this, since: isOwn || !this.isShared ? Infinity : since };
  }

  /** The time from which answers are as good as own ones: the process that is a little ahead reads for all. */
  #begin(now: number, interval: number): number {
    const ahead = this.hasOthers ? Math.min(mostApart, interval * partApart) : 0;
    return intervalAt(now, interval) - ahead;
  }

  /** Records a write: earlier reads are outdated. */
  wrote(): void {
    this.#wrote = this.#clock.now();
    this.#forgetBefore(this.#wrote);
  }

  async find(request: string, since: number): Promise<{ answer: unknown } | undefined> {
    if (since === Infinity) return undefined;
    const known = this.#known.get(request);
    return known && known.started >= since ? known : this.#others?.find(request, since);
  }

  keep(request: string, started: number, answer: unknown): void {
    this.#known.set(request, { started, answer });
    this.#others?.keep(request, started, answer);
  }

  giveUp(request: string): void {
    this.#others?.giveUp(request);
  }

  #forgetBefore(time: number): void {
    for (const [request, { started }] of this.#known) if (started < time) this.#known.delete(request);
  }

  /** All pay in turn for shared reads. */
  paid(requests: number, budget: Budget): void {
    const spenders = [...this.#lookers];
    const first = this.#turn % spenders.length;
    this.#turn = first + requests;
    for (const [index, spender] of spenders.entries()) {
      const place = (index - first + spenders.length) % spenders.length;
      spender.pay(Math.ceil(Math.max(0, requests - place) / spenders.length), budget);
    }
  }
}

/** The start of the current interval: the same for all, so that all refresh at the same time. */
export function intervalAt(now: number, interval: number): number {
  return Math.floor(now / interval) * interval;
}
