import type { Clock } from "./clock.ts";
import type { RequestMeter } from "./meter.ts";
import { operationOf } from "./path.ts";
import { RunPages } from "./run-pages.ts";

/** A text that outlives the process, and that nobody else can have written. */
export interface PersistentText {
  /** Undefined: none, or its origin is not proved. */
  read(): Promise<string | undefined>;
  /** Replaces the text. */
  write(text: string): Promise<void>;
}

/** The page sizes to try, one after the other while the server refuses them, because the API documents no maximum. */
const sizes = [10_000, 1000, 100, 20, 10] as const;
/** Milliseconds for which facts count: a server may page differently after its next release. */
const lifetime = 86_400_000;

/** Lists whose lengths are cached. */
const MOST_LENGTHS = 5000;

/** Milliseconds for which what a run has seen counts, if it takes so long. */
const runLifetime = 300_000;

/** What lists that the server counts have shown. Lists without a count are proved in each run. */
interface PagingFacts {
  /** The time of the oldest fact, in milliseconds since 1970; 0: there is none. */
  since: number;
  /** The page sizes that it accepts. None: it refuses the members of the query. */
  sizes: readonly number[];
  /** Page 1 is the first page, as a list with elements has shown. */
  isFromOne?: true;
  /** The smallest size to which it has cut a page. */
  cut?: number;
  /** By the operation: whether `total_count` counts the list, as a page with less of it has shown. */
  counts: Record<string, boolean>;
  /** The length of lists when they were last read, by the list: a run that meets another one, or none of the elements, proves it. */
  lengths: Record<string, number>;
}

const nothing = (): PagingFacts => ({ since: 0, sizes, counts: {}, lengths: {} });

/** The known facts about the pages of a server, which cost a request or two, so they are cached. */
export class ServerPages {
  readonly #clock: Pick<Clock, "now">;
  readonly #file: PersistentText | undefined;
  #learned = nothing();
  #written = JSON.stringify(this.#learned);
  /** Whether page 1 of a list had elements, in this process. */
  hasShown = false;
  readonly #runs = new WeakMap<RequestMeter, { at: number; pages: RunPages }>();
  #loading: Promise<void> | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #saving: Promise<void> = Promise.resolve();

  constructor(clock: Pick<Clock, "now">, file?: PersistentText) {
    this.#clock = clock;
    this.#file = file;
  }

  get known(): Readonly<PagingFacts> {
    return this.#learned;
  }

  /** The largest pages that it gives, as far as is known. */
  get pageSize(): number {
    const {
      cut = Infinity,
      sizes: [size = Infinity],
    } = this.#learned;
    return Math.min(cut, size);
  }

  /** What the lists without a count have shown in a run. */
  inRun(meter: RequestMeter): RunPages {
    const known = this.#runs.get(meter);
    const at = this.#clock.now();
    if (known && Math.abs(at - known.at) < runLifetime) return known.pages;
    const pages = new RunPages(meter);
    this.#runs.set(meter, { at, pages });
    return pages;
  }

  counts(path: string, isCounted: boolean): void {
    this.#add({ counts: { ...this.#learned.counts, [operationOf(path)]: isCounted } });
  }

  hasLength(list: string, length: number): void {
    const { [list]: known = 0, ...others } = this.#learned.lengths;
    if (known === length) return;
    const latest = Object.entries(others).slice(-MOST_LENGTHS);
    this.#learned = {
      ...this.#learned,
      lengths: Object.fromEntries(length === 0 ? latest : [...latest, [list, length]]),
    };
  }

  /** A write has added elements to a list, or removed some. */
  async hasChanged(list: string, by: number): Promise<void> {
    await this.load();
    this.hasLength(list, Math.max(0, (this.#learned.lengths[list] ?? 0) + by));
    await this.save();
  }

  hasCut(length: number): void {
    if (length < (this.#learned.cut ?? Infinity)) this.#add({ cut: length });
  }

  startsAtOne(): void {
    this.#add({ isFromOne: true });
  }

  /** The server accepts pages of these sizes. */
  accepts(accepted: readonly number[]): void {
    this.#learned = { ...this.#learned, sizes: accepted };
  }

  #add(facts: Partial<PagingFacts>): void {
    this.#learned = { ...this.#learned, since: this.#learned.since || this.#clock.now(), ...facts };
  }

  /** Forgets what the server has shown of its pages: it has changed. */
  forget(): void {
    this.#learned = { ...nothing(), lengths: this.#learned.lengths };
  }

  async load(): Promise<void> {
    await (this.#loading ??= this.#load());
    const { since, sizes: accepted } = this.#learned;
    if (since > 0 && Math.abs(this.#clock.now() - since) > lifetime) {
      this.forget();
      this.accepts(accepted);
    }
  }

  /** Asks one question after the other, so that parallel reads of lists do not all ask the same. */
  inTurn<Value>(ask: () => Promise<Value>): Promise<Value> {
    const requested = this.#last.then(ask, ask);
    this.#last = requested.catch(() => undefined);
    return requested;
  }

  /** Writes one text after the other: those that wait write the latest together. */
  save(): Promise<void> {
    const write = () => this.#write();
    return (this.#saving = this.#saving.then(write));
  }

  async #write(): Promise<void> {
    const text = JSON.stringify(this.#learned);
    if (text === this.#written) return;
    this.#written = text;
    // A full disk must not stop a run: the next one asks again.
    await this.#file?.write(text).catch(() => undefined);
  }

  async #load(): Promise<void> {
    const text = await this.#file?.read().catch(() => undefined);
    if (text === undefined) return;
    this.#learned = { ...nothing(), ...(JSON.parse(text) as Partial<PagingFacts>) };
    this.#written = text;
  }
}
