import { type Clock, systemClock } from "../../core/api/index.ts";
import { textIn } from "../../core/values/json.ts";
import { UnfinishedCreations } from "./unfinished-creations.ts";
import type { CheckResult } from "./check.ts";
import type { PropertyChange, Versions } from "./details.ts";
import type { InputDifference, JudgedDifference } from "./diff.ts";
import { explainError } from "./errors.ts";
import { functionOf } from "./functions.ts";
import { judge } from "./replacements.ts";
import { limitIn, type Properties, timeoutsIn } from "./inputs.ts";
import { resourceProperty } from "./internal.ts";
import { processToken } from "./ledger-file.ts";
import { ledgerOf, type RunLedger } from "./ledger.ts";
import { argumentMistakes, type CallResult } from "./program-function.ts";
import type { ResourceLifecycle, WrittenResource } from "./program-resource.ts";
import { lifecycleOf } from "./program-resources.ts";
import type { ReadResource } from "./read.ts";
import { Secrets } from "./secrets.ts";
import type { ProviderSession, Warn } from "./session.ts";
import { Sessions } from "./sessions.ts";
import type { SettingsError } from "./rules-file.ts";
import { type Config, organizationOf, type ProviderSettings } from "./settings.ts";

/**
 * The lifecycle of resources on plain values, for one configured provider. It owns the ledger of a run and the sessions
 * with servers. A process can have several.
 *
 * `config` is the stack's configuration; environment variables override it. `resource` is the name of a resource in its program; default: that in its properties. `limit` is in milliseconds; default: `customTimeouts`.
 */
export class Lifecycle {
  #ledger: RunLedger | undefined;
  readonly #engineAddress: () => string | undefined;
  readonly #started: UnfinishedCreations;
  readonly #sessions: Sessions;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #warn: Warn;
  readonly #clock: Clock;
  /** The shown warnings, because Pulumi calls `diff` more than once. */
  readonly #warned = new Set<string>();
  readonly #inform: (message: string) => void;
  #rulesAreSaid = false;

  /** @param engineAddress the address of the engine of the run, once known @param inform shows the user a message */
  constructor(
    environment: NodeJS.ProcessEnv = process.env,
    warn: Warn = (message, isWait) => console.error(isWait ? message : `warning: ${message}`),
    clock: Clock = systemClock,
    engineAddress: () => string | undefined = () => undefined,
    inform: (message: string) => void = (message) => console.error(message),
  ) {
    this.#inform = inform;
    this.#engineAddress = engineAddress;
    this.#environment = environment;
    this.#started = new UnfinishedCreations(environment);
    this.#warn = warn;
    this.#clock = clock;
    const ledger = () => this.#ledgerOfRun;
    const onSettings = (settings: ProviderSettings) => this.#sayRules(settings);
    this.#sessions = new Sessions({ environment, clock, warn, ledger, onSettings });
  }

  /** Checks inputs, and the settings for a creation, without a request. */
  async check(
    kind: string,
    olds: Properties,
    news: Properties,
    config: Config | undefined,
    resource = textIn(news, resourceProperty),
  ): Promise<CheckResult> {
    const settings = await this.#sessions.settingsOf(config).catch((error: SettingsError) => error);
    const organization = settings instanceof Error ? undefined : organizationOf(settings);
    const pass = { ...this.#pass, organization };
    const { inputs, failures, notes } = lifecycleOf(kind).check(olds, news, pass, resource);
    if (failures.length === 0) this.#tell(notes, new Secrets(news));
    if (settings instanceof Error) {
      // Mistakes in the settings are reported where they are used, but those in rules also where nothing changes.
      const isNew = Object.keys(olds).length === 0;
      const reason = isNew ? settings.message : this.#rulesAreSaid ? undefined : settings.inRules;
      if (reason !== undefined) failures.push({ property: "", reason });
      this.#rulesAreSaid ||= !isNew && reason !== undefined;
    }
    return { inputs, failures };
  }

  /**
   * Judges a creation, or a change of a resource in the state, for a preview.
   *
   * @param isMade whether the engine has asked about all dependants of a replaced resource
   * @throws Error for a forbidden change
   */
  async judge(
    kind: string,
    config: Config | undefined,
    news: Properties,
    state?: { id: string; olds: Properties },
    isMade = false,
  ): Promise<void> {
    const secrets = new Secrets(news);
    const notes = await this.#sessions.within(config, secrets, async (session) =>
      judge(session, await lifecycleOf(kind).question(session, news, state), isMade),
    );
    this.#tell(notes, secrets);
  }

  /**
   * Compares outputs with inputs. Sends requests only for a change that the settings of the stack have to judge: with
   * policies or a protection, or if the change needs a consent or may take aliases along.
   *
   * @throws Error also for a forbidden change, and for a loss without consent
   */
  async diff(
    kind: string,
    id: string,
    olds: Properties,
    news: Properties,
    config: Config | undefined,
    resource = textIn(news, resourceProperty),
  ): Promise<InputDifference> {
    const secrets = new Secrets(news);
    let difference: JudgedDifference;
    try {
      difference = lifecycleOf(kind).diff(this.#pass, id, olds, news, resource);
      this.#tell(difference.notes, secrets);
    } catch (error) {
      throw explainError(error, undefined, secrets);
    }
    if (difference.changes) await this.judge(kind, config, news, { id, olds });
    return difference;
  }

  details(kind: string, difference: InputDifference, versions: Versions): PropertyChange[] {
    return lifecycleOf(kind).details(difference, versions);
  }

  /**
   * The known outputs before a creation or an update. Sends only the requests that the settings of the stack need to
   * judge a creation: `diff` has judged an update.
   *
   * @param olds undefined for a creation
   */
  async preview(
    kind: string,
    olds: Properties | undefined,
    news: Properties,
    config: Config | undefined,
  ): Promise<Properties> {
    if (!olds) await this.judge(kind, config, news, undefined, true);
    const adopts = !olds && (await this.#sessions.settingsOf(config)).adopt;
    return lifecycleOf(kind).preview(olds, news, adopts);
  }

  /** Reads a live resource that is not in the state, by id or path: `shop/staging/nightly`. */
  find(kind: string, idOrPath: string, config: Config | undefined): Promise<ReadResource> {
    const found = (session: ProviderSession) => lifecycleOf(kind).find(session, idOrPath);
    return this.#sessions.within(config, new Secrets({}), found);
  }

  /** Calls a function, unless its arguments have mistakes. @throws Error where there is no function of that name */
  async call(name: string, args: Properties, config: Config | undefined): Promise<CallResult> {
    const called = functionOf(name);
    const failures = argumentMistakes(called, args);
    if (failures.length > 0) return { outputs: {}, failures };
    const run = (session: ProviderSession) => called.run(session, args);
    return { outputs: await this.#sessions.within(config, new Secrets(args), run), failures };
  }

  /** As `Sessions` does it: later calls work again. */
  cancel(): Promise<void> {
    return this.#sessions.cancel();
  }

  create(
    kind: string,
    inputs: Properties,
    config: Config | undefined,
    resource = textIn(inputs, resourceProperty),
    limit = limitIn(inputs, "create"),
  ): Promise<{ id: string; outs: Properties }> {
    return this.#write(kind, inputs, config, (sort, session) =>
      sort.create(session, inputs, { resource, limit }),
    );
  }

  async read(kind: string, id: string, olds: Properties, config: Config | undefined): Promise<ReadResource> {
    const sort = lifecycleOf(kind);
    const secrets = new Secrets(olds, sort.secretOutputs?.(olds));
    const read = (session: ProviderSession) => sort.read(session, id, olds);
    const found = await this.#sessions.within(config, secrets, read);
    if (found.id === "") return found;
    return { ...found, props: { ...found.props, ...secrets.properties, ...timeoutsIn(olds) } };
  }

  update(
    kind: string,
    id: string,
    olds: Properties,
    news: Properties,
    config: Config | undefined,
    resource = textIn(news, resourceProperty),
    limit = limitIn(news, "update"),
  ): Promise<{ outs: Properties }> {
    return this.#write(kind, news, config, (sort, session) =>
      sort.update(session, id, olds, news, { resource, limit }),
    );
  }

  remove(
    kind: string,
    id: string,
    olds: Properties,
    config: Config | undefined,
    resource = textIn(olds, resourceProperty),
    limit = limitIn(olds, "delete"),
  ): Promise<void> {
    return this.#sessions.within(config, new Secrets(olds), (session) =>
      lifecycleOf(kind).remove(session, id, olds, { resource, limit }),
    );
  }

  /** Runs a write, shows its notes to the user, and adds the properties that the state keeps for later calls. */
  async #write<Written extends WrittenResource>(
    kind: string,
    inputs: Properties,
    config: Config | undefined,
    write: (sort: ResourceLifecycle, session: ProviderSession) => Promise<Written>,
  ): Promise<Omit<Written, "notes">> {
    const sort = lifecycleOf(kind);
    const secrets = new Secrets(inputs, sort.secretOutputs?.());
    const written = await this.#sessions.within(config, secrets, (session) => write(sort, session));
    const { notes, ...rest } = written;
    this.#tell(notes, secrets);
    return { ...rest, outs: { ...written.outs, ...secrets.properties, ...timeoutsIn(inputs) } };
  }

  /** Reports the rules in force once in a run: a file that was not found protects nothing. */
  #sayRules({ rules }: ProviderSettings): void {
    if (this.#rulesAreSaid) return;
    this.#rulesAreSaid = true;
    const isRun = this.#engineAddress() !== undefined;
    if (isRun && this.#ledgerOfRun.claim(rules, processToken())) this.#inform(rules);
  }

  get #pass() {
    return { ledger: this.#ledgerOfRun, started: this.#started, now: this.#clock.now() };
  }

  get #ledgerOfRun(): RunLedger {
    return (this.#ledger ??= ledgerOf(this.#engineAddress(), this.#environment));
  }

  /** Shows each warning once. */
  #tell(messages: readonly string[] = [], secrets: Secrets): void {
    for (const message of messages) {
      if (this.#warned.has(message)) continue;
      this.#warned.add(message);
      this.#warn(secrets.hide(message));
    }
  }
}
