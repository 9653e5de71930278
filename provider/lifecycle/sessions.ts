import type { Clock } from "../../core/api/index.ts";
import { explainError } from "./errors.ts";
import type { RunLedger } from "./ledger.ts";
import { hideConfigured, type Secrets } from "./secrets.ts";
import { ProviderSession, type Warn } from "./session.ts";
import { type Config, type ProviderSettings, readSettings } from "./settings.ts";

export interface ProviderSurroundings {
  environment: NodeJS.ProcessEnv;
  clock: Clock;
  ledger(): RunLedger;
  warn: Warn;
  /** Gets the settings whenever they are read. */
  onSettings(settings: ProviderSettings): void;
}

/** The sessions of a pass, one for each token and server. */
export class Sessions {
  readonly #given: ProviderSurroundings;
  readonly #sessions = new Map<string, ProviderSession>();
  #ending = new AbortController();
  #hidden: Promise<void> | undefined;

  constructor(given: ProviderSurroundings) {
    this.#given = given;
  }

  /** Hides the credentials of the environment before the first message. @throws SettingsError where each request would fail */
  async settingsOf(config: Config | undefined): Promise<ProviderSettings> {
    await (this.#hidden ??= hideConfigured(this.#given.environment));
    const settings = await readSettings(config, this.#given.environment);
    this.#given.onSettings(settings);
    return settings;
  }

  /** Works in the session of a configuration. Its errors are in the terms of a user of Pulumi. */
  async within<Result>(
    config: Config | undefined,
    secrets: Secrets,
    work: (session: ProviderSession) => Promise<Result>,
  ): Promise<Result> {
    let settings: ProviderSettings | undefined;
    let session: ProviderSession | undefined;
    try {
      settings = await this.settingsOf(config);
      session = this.#session(settings);
      session.working += 1;
      return await work(session);
    } catch (error) {
      throw explainError(error, settings, secrets);
    } finally {
      if (session) session.working -= 1;
      session?.rest();
    }
  }

  /** Ends waits and reads at once, and a write when it is answered. Later work starts again. */
  async cancel(): Promise<void> {
    this.#ending.abort();
    this.#ending = new AbortController();
    const sessions = [...this.#sessions.values()];
    this.#sessions.clear();
    await Promise.all(sessions.map((session) => session.end()));
  }

  #session(settings: ProviderSettings): ProviderSession {
    const key = JSON.stringify(settings);
    const { ledger, environment, warn, clock } = this.#given;
    const session =
      this.#sessions.get(key) ??
      new ProviderSession(settings, ledger(), environment, warn, this.#ending.signal, clock);
    this.#sessions.set(key, session);
    return session;
  }
}
