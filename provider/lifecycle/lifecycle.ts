import { kindOf } from "../../core/kinds/index.ts";
import { Bindings } from "./bindings.ts";
import * as checking from "./check.ts";
import * as creating from "./create.ts";
import * as differing from "./diff.ts";
import { explainError } from "./errors.ts";
import type { Properties } from "./inputs.ts";
import * as reading from "./read.ts";
import * as removing from "./remove.ts";
import { Secrets } from "./secrets.ts";
import { ProviderSession } from "./session.ts";
import { type Config, readSettings, type ProviderSettings } from "./settings.ts";
import { doubtsAbout, unkeptBy } from "./unkept.ts";
import * as updating from "./update.ts";

/**
 * The lifecycle of resources on plain values, for one configured provider. It owns the bindings of a pass and the
 * sessions with servers. A process can have several.
 *
 * `config` is the stack's configuration; environment variables override it.
 */
export class Lifecycle {
  readonly #bindings = new Bindings();
  /** One for each token and server. */
  readonly #sessions = new Map<string, ProviderSession>();
  readonly #environment: NodeJS.ProcessEnv;
  readonly #warn: (message: string) => void;
  /** The warnings that were shown, because Pulumi calls `diff` more than once. */
  readonly #warned = new Set<string>();

  /** @param warn shows the user a warning */
  constructor(environment: NodeJS.ProcessEnv = process.env, warn: (message: string) => void = writeWarning) {
    this.#environment = environment;
    this.#warn = warn;
  }

  /** Checks inputs, without a request. */
  check(kind: string, olds: Properties, news: Properties): checking.Checked {
    return checking.check(kindOf(kind), olds, news);
  }

  /** Compares outputs with inputs, without a request. */
  diff(kind: string, id: string, olds: Properties, news: Properties): differing.Difference {
    try {
      const difference = differing.diff(this.#bindings, kindOf(kind), id, olds, news);
      this.#tell(doubtsAbout(kindOf(kind), olds, news), new Secrets(news));
      return difference;
    } catch (error) {
      throw explainError(error, undefined, new Secrets(news));
    }
  }

  /** Creates a resource, clones it, or takes it over. */
  async create(
    kind: string,
    inputs: Properties,
    config: Config | undefined,
  ): Promise<{ id: string; outs: Properties }> {
    const secrets = new Secrets(inputs);
    const { id, outs, done } = await this.#within(config, secrets, (session) =>
      creating.create(session, kindOf(kind), inputs),
    );
    this.#tell(unkeptBy(kindOf(kind), inputs, done), secrets);
    return { id, outs: { ...outs, ...secrets.properties } };
  }

  /** Reads a live resource. */
  async read(
    kind: string,
    id: string,
    olds: Properties,
    config: Config | undefined,
  ): ReturnType<typeof reading.read> {
    const secrets = new Secrets(olds);
    const found = await this.#within(config, secrets, (session) =>
      reading.read(session, kindOf(kind), id, olds),
    );
    return found.id === "" ? found : { ...found, props: { ...found.props, ...secrets.properties } };
  }

  /** Changes a resource. */
  async update(
    kind: string,
    id: string,
    olds: Properties,
    news: Properties,
    config: Config | undefined,
  ): Promise<{ outs: Properties }> {
    const secrets = new Secrets(news);
    const { outs, done } = await this.#within(config, secrets, (session) =>
      updating.update(session, kindOf(kind), id, olds, news),
    );
    this.#tell(unkeptBy(kindOf(kind), news, done), secrets);
    return { outs: { ...outs, ...secrets.properties } };
  }

  /** Deletes a resource, and waits until it is gone. */
  async remove(kind: string, id: string, olds: Properties, config: Config | undefined): Promise<void> {
    return this.#within(config, new Secrets(olds), (session) =>
      removing.remove(session, kindOf(kind), id, olds),
    );
  }

  /** Shows a warning about values that the server does not keep, once. */
  #tell(message: string | undefined, secrets: Secrets): void {
    if (message === undefined || this.#warned.has(message)) return;
    this.#warned.add(message);
    this.#warn(secrets.hide(message));
  }

  async #within<Result>(
    config: Config | undefined,
    secrets: Secrets,
    work: (session: ProviderSession) => Promise<Result>,
  ): Promise<Result> {
    let settings: ProviderSettings | undefined;
    try {
      settings = await readSettings(config, this.#environment);
      return await work(this.#session(settings));
    } catch (error) {
      throw explainError(error, settings, secrets);
    }
  }

  #session(settings: ProviderSettings): ProviderSession {
    const key = JSON.stringify(settings);
    const session =
      this.#sessions.get(key) ?? new ProviderSession(settings, this.#bindings, this.#environment);
    this.#sessions.set(key, session);
    return session;
  }
}

/** The engine shows what a provider writes to standard error. */
function writeWarning(message: string): void {
  console.error(`warning: ${message}`);
}
