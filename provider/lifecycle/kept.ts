import { KeptParts, type LiveStore } from "../../core/live/index.ts";
import { partsFolder } from "../../core/own-folder.ts";
import { durationOf } from "../../core/schema/duration.ts";
import { type ProviderSettings, SettingsError } from "./settings.ts";

const hour = 3_600_000;

/**
 * What earlier runs have read with this token; undefined where no folder can have it. The environment alone decides about it,
 * because the configuration of a stack is under version control.
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
/** Writing takes no more than one part in so many of the time. */
const share = 20;

/**
 * Writes down what was read while a provider works: nobody tells a provider in TypeScript when its run is over. What is read
 * last may get lost then, and is read again.
 */
export class Keeper {
  readonly #live: LiveStore;
  #isWaiting = false;
  #delay = soon;

  constructor(live: LiveStore) {
    this.#live = live;
  }

  /** Writes down soon what was read until then. */
  keepSoon(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    setTimeout(() => void this.#keep(), this.#delay).unref();
  }

  async #keep(): Promise<void> {
    const begun = performance.now();
    await this.#live.keep();
    this.#delay = Math.max(soon, share * (performance.now() - begun));
    this.#isWaiting = false;
  }
}
