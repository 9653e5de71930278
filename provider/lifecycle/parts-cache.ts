import { keptPages, PartsCache, type LiveStore, type RememberedRun } from "../../core/state/live/index.ts";
import { partsFolder } from "../../core/files/own-folder.ts";
import type { PersistentText } from "../../core/api/index.ts";
import type { ProviderSettings } from "./settings.ts";

const hour = 3_600_000;

/**
 * The parts that earlier runs have read with this token; undefined where no folder can have them. The environment alone
 * decides about it, because the configuration of a stack is under version control.
 */
export function keptFor(
  { token, baseUrl }: Pick<ProviderSettings, "token" | "baseUrl">,
  environment: NodeJS.ProcessEnv,
): PartsCache | undefined {
  const { INFRASYNC_FRESH: fresh } = environment;
  const folder = folderIn(environment);
  if (folder === undefined) return undefined;
  return new PartsCache({ folder, token, baseUrl, maxAge: hour, fresh: fresh === "true" || fresh === "1" });
}

/** Where it is kept how the server pages its lists, in the same folder. */
export function pagesFor(
  settings: Pick<ProviderSettings, "token" | "baseUrl">,
  environment: NodeJS.ProcessEnv,
): PersistentText | undefined {
  const folder = folderIn(environment);
  return folder === undefined ? undefined : keptPages(folder, settings);
}

function folderIn({ INFRASYNC_CACHE: chosen, ...environment }: NodeJS.ProcessEnv): string | undefined {
  return partsFolder(chosen || undefined, environment, process.geteuid?.());
}

/** Milliseconds after a read until it is written down. */
const soon = 50;
/** The same at most: known state is forgotten after some seconds. */
const latest = 2000;
/** Writing takes no more than one part in so many of the time, unless that is too late. */
const share = 20;
/** By one of these the engine ends a provider; it waits for some seconds before it kills one. */
const ends = ["SIGINT", "SIGTERM", "SIGBREAK"] as const;

/** Saves the parts that are known while a provider works, and at its end: nothing tells a provider in TypeScript that a run is over. */
export class Keeper {
  static readonly #all = new Set<Keeper>();
  readonly #live: LiveStore;
  readonly #ending: () => Promise<Omit<RememberedRun, "isOver"> | undefined>;
  #isWaiting = false;
  #isOver = false;
  #delay = soon;
  #keeping: Promise<void> = Promise.resolve();

  /** @param ending the end of the run, if it were now; undefined where the run has written nothing */
  constructor(live: LiveStore, ending: () => Promise<Omit<RememberedRun, "isOver"> | undefined>) {
    this.#live = live;
    this.#ending = ending;
    if (Keeper.#all.size === 0) for (const end of ends) process.once(end, () => void Keeper.#end(end));
    Keeper.#all.add(this);
  }

  /** Saves soon the parts that were read until then. */
  keepSoon(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    setTimeout(() => {
      this.#isWaiting = false;
      void this.#keep();
    }, this.#delay).unref();
  }

  /** Saves all that is known when the run is over: the next run need not read again what this one has written. */
  end(): Promise<void> {
    this.#isOver = true;
    return this.#keep();
  }

  /** Saves the lists that were read, after any save that is under way. A process may be killed before it can say that it is over. */
  #keep(): Promise<void> {
    this.#keeping = this.#keepAfter(this.#keeping);
    return this.#keeping;
  }

  async #keepAfter(before: Promise<void>): Promise<void> {
    await before;
    const begun = performance.now();
    const ending = await this.#ending();
    await this.#live.remembered.save(ending && { ...ending, isOver: this.#isOver });
    this.#delay = Math.min(latest, Math.max(soon, share * (performance.now() - begun)));
  }

  /** Lets the signal end the process once everything is written down. */
  static async #end(signal: (typeof ends)[number]): Promise<void> {
    await Promise.all([...Keeper.#all].map((keeper) => keeper.end()));
    process.kill(process.pid, signal);
  }
}
