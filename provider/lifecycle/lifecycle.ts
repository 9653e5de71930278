import { textIn } from "../../core/json.ts";
import { type Clock, systemClock } from "../../core/api/index.ts";
import { type Kind, kindOf } from "../../core/kinds/index.ts";
import type { ResourcePlace } from "../../core/operations/index.ts";
import { argumentMistakes } from "./arguments.ts";
import { BegunCreations } from "./begun.ts";
import { Bindings } from "./bindings.ts";
import * as checking from "./check.ts";
import type { InputMistake } from "./check.ts";
import * as creating from "./create.ts";
import { detailsOf, secretChanges, type PropertyChange, type Versions } from "./details.ts";
import * as differing from "./diff.ts";
import { explainError } from "./errors.ts";
import { find } from "./find.ts";
import { functionOf } from "./functions.ts";
import { type Properties, readInputs } from "./inputs.ts";
import { resourceProperty } from "./internal.ts";
import { previewCreation, previewUpdate } from "./preview.ts";
import type { ProgramResource } from "./program-resource.ts";
import { programResource } from "./program-resources.ts";
import { parentProperty } from "./outputs.ts";
import { entryOf } from "./owners.ts";
import * as reading from "./read.ts";
import * as removing from "./remove.ts";
import { shownIn, shownPointers } from "./shown.ts";
import { Secrets } from "./secrets.ts";
import { Sessions } from "./sessions.ts";
import { adoptsAll, type Config } from "./settings.ts";
import { entryKeysIn } from "./variable-inputs.ts";
import { limitIn, timeoutsIn } from "./timeouts.ts";
import { judgeChange, judgeCreation, needsJudgement } from "./judge.ts";
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
  readonly #begun: BegunCreations;
  readonly #sessions: Sessions;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #warn: (message: string) => void;
  readonly #clock: Clock;
  /** The warnings that were shown, because Pulumi calls `diff` more than once. */
  readonly #warned = new Set<string>();

  /** @param warn shows the user a warning */
  constructor(
    environment: NodeJS.ProcessEnv = process.env,
    warn: (message: string) => void = writeWarning,
    clock: Clock = systemClock,
  ) {
    this.#environment = environment;
    this.#begun = new BegunCreations(environment);
    this.#warn = warn;
    this.#clock = clock;
    this.#sessions = new Sessions(this.#bindings, environment, warn, clock);
  }

  /**
   * Checks inputs, and the settings that a creation needs. Sends requests only where policies of the team have to judge a
   * creation by its address.
   */
  async check(
    kind: string,
    olds: Properties,
    news: Properties,
    config: Config | undefined,
  ): Promise<checking.Checked> {
    await this.#sessions.hideConfigured();
    const other = programResource(kind);
    const checked = other
      ? other.check(news)
      : checking.check(kindOf(kind), olds, news, this.#bindings.owners);
    const misfits = other?.misfits?.(checked.inputs, (id) => this.#bindings.kinds.get(id)) ?? [];
    if (checked.failures.length + misfits.length > 0)
      return { ...checked, failures: [...checked.failures, ...misfits] };
    this.#tell(checked.notes ?? [], new Secrets(news));
    const { inputs } = checked;
    if (Object.keys(olds).length > 0) return { inputs, failures: [] };
    const entry = other?.entryOf?.(news);
    if (entry) {
      this.#bindings.owners.expect(entryOf(entry.ownerId, entry.key));
      this.#begun.announce(entry.ownerId, entry.key, this.#clock.now());
    }
    try {
      const { policies } = await this.#sessions.settingsOf(config);
      if (!other && policies.length > 0) await this.#judgeCreation(kind, news, config);
      return { inputs, failures: [] };
    } catch (error) {
      return { inputs, failures: [{ property: "", reason: (error as Error).message }] };
    }
  }

  async #judgeCreation(kind: string, news: Properties, config: Config | undefined): Promise<void> {
    const secrets = new Secrets(news);
    const notes = await this.#sessions.within(config, secrets, (session) =>
      judgeCreation(session, kindOf(kind), news),
    );
    this.#tell(notes, secrets);
  }

  /**
   * Compares outputs with inputs. Sends requests only for a change that the settings of the stack have to judge: where policies
   * or a protection are set, and where a change needs a consent or may take aliases with it.
   *
   * @throws Error also for a change that is forbidden, and for a loss without a consent
   * @param resource its name in the program; default: the name in its inputs
   */
  async diff(
    kind: string,
    id: string,
    olds: Properties,
    news: Properties,
    config: Config | undefined,
    resource = textIn(news, resourceProperty),
  ): Promise<differing.InputDifference> {
    this.#settle(kind, olds);
    const other = programResource(kind);
    if (other) {
      this.#claim(other, news, resource);
      return other.diff(olds, news);
    }
    this.#bindings.kinds.set(id, kindOf(kind));
    const secrets = new Secrets(news);
    let difference: differing.JudgedDifference;
    try {
      const now = this.#clock.now();
      difference = differing.diff(this.#bindings, kindOf(kind), id, olds, news, resource, now);
      const keysIn = (properties: Properties) => entryKeysIn(readInputs(kindOf(kind), properties).fields);
      const keys = keysIn(news);
      this.#bindings.owners.claimEntries(id, keys, resource);
      for (const key of keysIn(olds))
        if (!keys.includes(key) && this.#begun.takeAnnounced(id, key, this.#clock.now()))
          this.#bindings.owners.expect(entryOf(id, key));
      const versions = { oldInputs: olds, oldOutputs: olds, inputs: news };
      const { fields } = difference;
      this.#tell(difference.answer?.notes ?? [], secrets);
      this.#tell(secretChanges(kindOf(kind), fields, versions, secrets), secrets);
      this.#tell(doubtsAbout(kindOf(kind), textIn(news, "name") ?? "", fields), secrets);
    } catch (error) {
      throw explainError(error, undefined, secrets);
    }
    if (!difference.changes) return difference;
    const notes = await this.#sessions.within(config, secrets, async (session) =>
      needsJudgement(difference, session.settings)
        ? judgeChange(session, kindOf(kind), id, olds, news, difference)
        : [],
    );
    this.#tell(notes, secrets);
    return difference;
  }

  /** The names in the program of the fields that differ. */
  details(kind: string, difference: differing.InputDifference, versions: Versions): PropertyChange[] {
    const other = programResource(kind);
    return other ? other.details(difference) : detailsOf(kindOf(kind), difference.fields, versions);
  }

  /**
   * The outputs of a creation as far as they are known before it. Sends no request but those that the settings of the stack need
   * to judge it.
   */
  async previewCreation(kind: string, inputs: Properties, config: Config | undefined): Promise<Properties> {
    const other = programResource(kind);
    if (other) return other.preview(inputs);
    await this.#judgeCreation(kind, inputs, config);
    return previewCreation(kindOf(kind), inputs, adoptsAll(config, this.#environment));
  }

  /** The outputs of an update as far as they are known before it, without a request. */
  previewUpdate(kind: string, olds: Properties, news: Properties): Properties {
    const other = programResource(kind);
    return other ? other.previewUpdate(olds, news) : previewUpdate(kindOf(kind), olds, news);
  }

  /** Reads a live resource that is not in the state, by its id or its path: `shop/staging/nightly`. */
  async find(kind: string, idOrPath: string, config: Config | undefined): ReturnType<typeof reading.read> {
    const other = programResource(kind);
    if (other) return other.find(this.#sessions.of(config, new Secrets({})), idOrPath);
    return this.#sessions.within(config, new Secrets({}), (session) => find(session, kindOf(kind), idOrPath));
  }

  /**
   * Calls a function, which reads, unless its arguments have mistakes.
   *
   * @throws Error where there is no function of that name
   */
  async call(
    name: string,
    args: Properties,
    config: Config | undefined,
  ): Promise<{ outputs: Properties; failures: InputMistake[] }> {
    const called = functionOf(name);
    const failures = argumentMistakes(called, args);
    if (failures.length > 0) return { outputs: {}, failures };
    const outputs = await this.#sessions.within(config, new Secrets(args), (session) =>
      called.run(session, args),
    );
    return { outputs, failures };
  }

  /** Ends the calls under way: waits and reads at once, a write when it is answered. Later calls start anew. */
  cancel(): Promise<void> {
    return this.#sessions.cancel();
  }

  /**
   * Creates a resource, clones it, or takes it over.
   *
   * @param resource its name in the program; default: the name in its inputs
   * @param limit milliseconds for which it may wait; default: the option `customTimeouts`
   */
  async create(
    kind: string,
    inputs: Properties,
    config: Config | undefined,
    resource = textIn(inputs, resourceProperty),
    limit = limitIn(inputs, "create"),
  ): Promise<{ id: string; outs: Properties }> {
    const secrets = new Secrets(inputs, secretOutputs(kind));
    const other = programResource(kind);
    if (other) {
      this.#claim(other, inputs, resource);
      return other.create(this.#sessions.of(config, secrets), inputs, { resource, limit });
    }
    const { id, outs, unkept } = await this.#sessions.within(config, secrets, (session) =>
      creating.create(session, kindOf(kind), inputs, resource, limit),
    );
    this.#bindings.kinds.set(id, kindOf(kind));
    this.#tell(unkeptBy(kindOf(kind), inputs, unkept), secrets);
    return { id, outs: { ...outs, ...secrets.properties, ...timeoutsIn(inputs) } };
  }

  /** Reads a live resource. */
  async read(
    kind: string,
    id: string,
    olds: Properties,
    config: Config | undefined,
  ): ReturnType<typeof reading.read> {
    const other = programResource(kind);
    if (other) return other.read(this.#sessions.of(config, new Secrets(olds)), id, olds);
    // An import has no such value, and stays as it is when it is read again.
    const hasShown = shownIn(kindOf(kind), olds) !== undefined;
    const secrets = new Secrets(olds, hasShown ? secretOutputs(kind) : []);
    const found = await this.#sessions.within(config, secrets, (session) =>
      reading.read(session, kindOf(kind), id, olds),
    );
    return found.id === ""
      ? found
      : { ...found, props: { ...found.props, ...secrets.properties, ...timeoutsIn(olds) } };
  }

  /** Changes a resource. */
  async update(
    kind: string,
    id: string,
    olds: Properties,
    news: Properties,
    config: Config | undefined,
    limit = limitIn(news, "update"),
  ): Promise<{ outs: Properties }> {
    const secrets = new Secrets(news, secretOutputs(kind));
    const other = programResource(kind);
    if (other) return other.update(this.#sessions.of(config, secrets), olds, news, { limit });
    const { outs, unkept } = await this.#sessions.within(config, secrets, (session) =>
      updating.update(session, kindOf(kind), id, olds, news, limit),
    );
    this.#tell(unkeptBy(kindOf(kind), news, unkept), secrets);
    return { outs: { ...outs, ...secrets.properties, ...timeoutsIn(news) } };
  }

  /**
   * Deletes a resource, and waits until it is gone.
   *
   * @param resource what the program calls it; undefined if the engine does not tell
   */
  async remove(
    kind: string,
    id: string,
    olds: Properties,
    config: Config | undefined,
    resource?: string,
    limit = limitIn(olds, "delete"),
  ): Promise<void> {
    this.#settle(kind, olds);
    const other = programResource(kind);
    if (other) {
      const entry = other.entryOf?.(olds);
      const name = resource ?? textIn(olds, resourceProperty);
      // Another resource of the program states it now: it only loses its old entry in the state.
      if (entry && this.#bindings.owners.otherOf(entryOf(entry.ownerId, entry.key), name) !== undefined)
        return;
      return other.remove(this.#sessions.of(config, new Secrets(olds)), olds, { resource, limit });
    }
    return this.#sessions.within(config, new Secrets(olds), (session) =>
      removing.remove(session, kindOf(kind), id, olds, resource, limit),
    );
  }

  /** Claims the entry that a resource states, such as a variable. @throws RefusedError where another resource of the program states it */
  #claim(resource: ProgramResource, properties: Properties, name: string | undefined): void {
    const entry = resource.entryOf?.(properties);
    if (entry)
      this.#bindings.owners.claimEntries(entry.ownerId, [entry.key], name, resource.name.toLowerCase());
  }

  /** Notes that a state has a resource. */
  #settle(kind: string, olds: Properties): void {
    const other = programResource(kind);
    const place = other ? other.placeOf?.(olds) : placeOf(kindOf(kind), olds);
    if (place) this.#begun.settle(place);
  }

  /** Shows warnings, each once. */
  #tell(messages: readonly string[], secrets: Secrets): void {
    for (const message of messages) {
      if (this.#warned.has(message)) continue;
      this.#warned.add(message);
      this.#warn(secrets.hide(message));
    }
  }
}

function placeOf(kind: Kind, olds: Properties): ResourcePlace | undefined {
  const parentId = textIn(olds, parentProperty(kind));
  const name = textIn(olds, "name");
  return parentId === undefined || name === undefined ? undefined : { kind, parentId, name };
}

/** The engine shows the standard error of a provider. */
function writeWarning(message: string): void {
  console.error(`warning: ${message}`);
}

/** The outputs of a kind that are secret whatever the inputs are. */
function secretOutputs(kind: string): string[] {
  return programResource(kind) ? [] : shownPointers(kindOf(kind));
}
