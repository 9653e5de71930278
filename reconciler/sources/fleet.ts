import { isDeepStrictEqual } from "node:util";
import PQueue from "p-queue";
import type { Clock } from "../../core/api/index.ts";
import type { Source } from "./source.ts";

/** A source that runs. */
export interface RunningSource {
  /** Works until the signal; `again`: it is to be opened again. @param started is called after its first refresh @throws if it cannot continue */
  run(started: () => void): Promise<"again" | void>;
}

/** A source of a fleet, and its state. Times are in milliseconds since 1970. */
export interface Member<Running extends RunningSource> {
  source: Source;
  /** Undefined: it is not open. */
  running: Running | undefined;
  /** Whether this worker has the right to the source. */
  isAdmitted: boolean;
  failure?: { error: unknown; since: number };
  since: number;
  /** Whether it finishes its work, because its document is gone, or has changed. */
  isEnding: boolean;
}

export interface FleetSettings<Running extends RunningSource> {
  clock: Clock;
  signal: AbortSignal;
  /** Resolves when this worker has the right to a source, with a function that returns the right; default: at once. */
  admit?(source: Source, signal: AbortSignal): Promise<() => Promise<void>>;
  /** Opens a source, which works until its signal. `again`: this worker has lost the right to the source. */
  open(source: Source, signal: AbortSignal): Promise<Running | "again">;
  /** Called when a source cannot be opened, or has ended by itself. */
  onFailure(source: Source, error: unknown): void;
}

const mostStarts = 8;
/** Milliseconds for which a source may hold up the start of others. */
const longestStart = 5000;
/** Milliseconds before a failed source is opened again: at first, and at most. */
const firstRetry = 5000;
const longestRetry = 300_000;

interface FleetMember<Running extends RunningSource> extends Member<Running> {
  stop: AbortController;
  over: Promise<void>;
}

/** Runs sources in parallel: one that hangs or fails holds up no other. A changed one starts when its old form has ended. */
export class Fleet<Running extends RunningSource> {
  readonly #settings: FleetSettings<Running>;
  readonly #members = new Map<string, FleetMember<Running>>();
  /** Sources that finish their work, by name. */
  readonly #ending = new Map<string, FleetMember<Running>>();
  readonly #starts = new PQueue({ concurrency: mostStarts });

  constructor(settings: FleetSettings<Running>) {
    this.#settings = settings;
  }

  /** All sources, also those that finish their work. */
  get members(): readonly Member<Running>[] {
    const others = [...this.#ending].filter(([name]) => !this.#members.has(name)).map(([, member]) => member);
    return [...this.#members.values(), ...others];
  }

  follow(sources: readonly Source[]): void {
    const desired = new Map(sources.map((source) => [source.name, source]));
    for (const [name, member] of this.#members)
      if (!isDeepStrictEqual(desired.get(name), member.source)) this.#end(name, member);
    for (const [name, source] of desired) if (!this.#members.has(name)) this.#start(source);
  }

  /** Resolves when the finishing sources of these names have ended. */
  async overOf(names: readonly string[]): Promise<void> {
    await Promise.all(names.map((name) => this.#ending.get(name)?.over));
  }

  async over(): Promise<void> {
    await Promise.all([...this.#members.values(), ...this.#ending.values()].map((member) => member.over));
  }

  #start(source: Source): void {
    const stop = new AbortController();
    const before = this.#ending.get(source.name)?.over;
    const member: FleetMember<Running> = {
      source,
      running: undefined,
      since: this.#settings.clock.now(),
      isAdmitted: this.#settings.admit === undefined,
      isEnding: false,
      stop,
      over: Promise.resolve(),
    };
    this.#members.set(source.name, member);
    member.over = this.#live(member, before);
  }

  #end(name: string, member: FleetMember<Running>): void {
    this.#members.delete(name);
    member.isEnding = true;
    this.#ending.set(name, member);
    member.stop.abort("the declaration of the source was removed or changed");
    void this.#forget(name, member);
  }

  async #forget(name: string, member: FleetMember<Running>): Promise<void> {
    await member.over;
    if (this.#ending.get(name) === member) this.#ending.delete(name);
  }

  /** Waits for a turn to start, and gives a function that ends it: a slow source holds the others up for a moment only. */
  #turn(): Promise<() => void> {
    const { clock } = this.#settings;
    return new Promise((resolve) => {
      const over = new AbortController();
      void this.#starts.add(() => {
        resolve(() => over.abort());
        return clock.sleep(longestStart, over.signal);
      });
    });
  }

  /** Opens a source again and again until it has to end. */
  async #live(member: FleetMember<Running>, before: Promise<void> | undefined): Promise<void> {
    const { clock, admit, open, onFailure } = this.#settings;
    const signal = AbortSignal.any([this.#settings.signal, member.stop.signal]);
    await before;
    for (let wait = firstRetry; !signal.aborted;) {
      let started: (() => void) | undefined;
      let giveBack: (() => Promise<void>) | undefined;
      try {
        // Nothing is opened without the right to this source, and other sources do not wait for it.
        member.isAdmitted = admit === undefined;
        giveBack = await admit?.(member.source, signal);
        if (signal.aborted) return;
        member.isAdmitted = true;
        started = await this.#turn();
        if (signal.aborted) return;
        const opened = clock.now();
        const running = await open(member.source, signal);
        delete member.failure;
        if (running === "again") continue;
        member.running = running;
        const ended = await running.run(started);
        if (signal.aborted) return;
        if (ended === "again") continue;
        if (clock.now() - opened > longestRetry) wait = firstRetry;
        throw new Error("the source ended without a request");
      } catch (error) {
        if (signal.aborted) return;
        member.failure = { error, since: member.failure?.since ?? clock.now() };
        onFailure(member.source, error);
      } finally {
        started?.();
        member.running = undefined;
        await giveBack?.();
      }
      await clock.sleep(wait, signal);
      wait = Math.min(2 * wait, longestRetry);
    }
  }
}
