import { KeptParts, type LiveStore } from "../../core/live/index.ts";
import { partsFolder } from "../../core/own-folder.ts";
import { durationOf } from "../../core/schema/duration.ts";
import type { ProviderSettings } from "./settings.ts";
import { SettingsError } from "./settings-error.ts";

const hour = 3_600_000;

/**
 * The parts that earlier runs have read with this token; undefined where no folder can have them. The environment alone
 * decides about it, because the configuration of a stack is under version control.
 */
export function keptFor(
  { token, baseUrl }: Pick<ProviderSettings, "token" | "baseUrl">,
  environment: NodeJS.ProcessEnv,
): KeptParts | undefined {
  const { INFRASYNC_CACHE: chosen, INFRASYNC_MAX_AGE: age, INFRASYNC_FRESH: fresh } = environment;
  const folder = partsFolder(chosen || undefined, environment, process.geteuid?.());
  if (folder === undefined) return undefined;
  const maxAge = age ? durationOf(age) : hour;
  if (maxAge === undefined)
    throw new SettingsError(`INFRASYNC_MAX_AGE cannot be "${age}"; write a time such as 10m`);
  return new KeptParts({ folder, token, baseUrl, maxAge, fresh: fresh === "true" || fresh === "1" });
}

/** Milliseconds after a read until it is written down. */
const soon = 50;
/** The same at most: known state is forgotten after some seconds. */
const latest = 2000;
/** Writing takes no more than one part in so many of the time, unless that is too late. */
const share = 20;
/** By one of these the engine ends a provider; it waits for some seconds before it kills one. */
const ends = ["SIGINT", "SIGTERM", "SIGBREAK"] as const;

/** Saves the parts that were read while a provider works, and at its end: nothing tells a provider in TypeScript that a run is over. */
export class Keeper {
  static readonly #all = new Set<Keeper>();
  readonly #live: LiveStore;
  #isWaiting = false;
  #delay = soon;
  #keeping: Promise<void> = Promise.resolve();

  constructor(live: LiveStore) {
    this.#live = live;
  }

  /** Saves soon the parts that were read until then. */
  keepSoon(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    if (Keeper.#all.size === 0) for (const end of ends) process.once(end, () => void Keeper.#end(end));
    Keeper.#all.add(this);
    setTimeout(() => {
      this.#isWaiting = false;
      void this.keep();
    }, this.#delay).unref();
  }

  /** Saves the lists that were read, after any save that is under way. */
  keep(): Promise<void> {
    this.#keeping = this.#keepAfter(this.#keeping);
    return this.#keeping;
  }

  async #keepAfter(before: Promise<void>): Promise<void> {
    await before;
    const begun = performance.now();
    await this.#live.remembered.save();
    this.#delay = Math.min(latest, Math.max(soon, share * (performance.now() - begun)));
  }

  /** Lets the signal end the process once everything is written down. */
  static async #end(signal: (typeof ends)[number]): Promise<void> {
    await Promise.all([...Keeper.#all].map((keeper) => keeper.keep()));
    process.kill(process.pid, signal);
  }
}
