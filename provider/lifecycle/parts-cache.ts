import { cachedPages, PartsCache, type LiveStore, type EndedRun } from "../../core/state/live/index.ts";
import { cacheFolder } from "./ledger-file.ts";
import type { PersistentText } from "../../core/api/index.ts";
import type { ProviderSettings } from "./settings.ts";

const hour = 3_600_000;

/**
 * The parts that earlier runs have read with this token, and the page sizes of the server; absent without a usable
 * folder. Only the environment configures the folder, because the configuration of a stack is under version control.
 */
export function cachesFor(
  { token, baseUrl }: ProviderSettings,
  environment: NodeJS.ProcessEnv,
  onDamage: (report: string) => void,
): { kept?: PartsCache; pages?: PersistentText } {
  const { INFRASYNC_FRESH: given } = environment;
  const folder = cacheFolder("parts", environment);
  if (folder === undefined) return {};
  const fresh = given === "true" || given === "1";
  return {
    kept: new PartsCache({ folder, token, baseUrl, maxAge: hour, fresh, onDamage }),
    pages: cachedPages(folder, { token, baseUrl }, onDamage),
  };
}

/** Milliseconds between a read and its save. */
const soon = 50;
/** The most milliseconds before a save: known state expires after some seconds. */
const latest = 2000;
/** Saves take at most 1/20 of the time, unless that is too late. */
const share = 20;
/** The engine ends a provider with one of these; some seconds later it kills it. */
const ends = ["SIGINT", "SIGTERM", "SIGBREAK"] as const;

/** Saves the known parts during and after the work: nothing tells a provider in TypeScript that a run is over. */
export class Keeper {
  static readonly #all = new Set<Keeper>();
  readonly #live: LiveStore;
  readonly #ending: () => Promise<Omit<EndedRun, "isOver"> | undefined>;
  #isWaiting = false;
  #isOver = false;
  #delay = soon;
  #keeping: Promise<void> = Promise.resolve();

  /** @param ending the end of the run, if it were now; undefined: the run has written nothing */
  constructor(live: LiveStore, ending: () => Promise<Omit<EndedRun, "isOver"> | undefined>) {
    this.#live = live;
    this.#ending = ending;
    if (Keeper.#all.size === 0) for (const end of ends) process.once(end, () => void Keeper.#end(end));
    Keeper.#all.add(this);
  }

  keepSoon(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    setTimeout(() => {
      this.#isWaiting = false;
      void this.#keep();
    }, this.#delay).unref();
  }

  /** Saves everything at the end of the run, so that the next run need not read the values that this one has written. */
  end(): Promise<void> {
    this.#isOver = true;
    return this.#keep();
  }

  /** Saves the lists that were read, after any save under way. A kill may come before the run is marked as over. */
  #keep(): Promise<void> {
    this.#keeping = this.#keepAfter(this.#keeping);
    return this.#keeping;
  }

  async #keepAfter(before: Promise<void>): Promise<void> {
    await before;
    const started = performance.now();
    const ending = await this.#ending();
    await this.#live.parts.save(ending && { ...ending, isOver: this.#isOver });
    this.#delay = Math.min(latest, Math.max(soon, share * (performance.now() - started)));
  }

  /** The signal ends the process once everything is saved. */
  static async #end(signal: (typeof ends)[number]): Promise<void> {
    await Promise.all([...Keeper.#all].map((keeper) => keeper.end()));
    process.kill(process.pid, signal);
  }
}
