import { type Clock, systemClock } from "../../core/api/index.ts";
import { type Kind, kindOf } from "../../core/kinds/index.ts";
import type { ResourcePlace } from "../../core/operations/index.ts";
import type { AddressedResource } from "./addresses.ts";
import { argumentMistakes } from "./arguments.ts";
import { BegunCreations } from "./begun.ts";
import { Bindings } from "./bindings.ts";
import * as checking from "./check.ts";
import type { InputMistake } from "./check.ts";
import { Claims } from "./claims.ts";
import { refuseWithoutConsent } from "./consent.ts";
import * as creating from "./create.ts";
import { detailsOf, type PropertyChange, type Versions } from "./details.ts";
import * as differing from "./diff.ts";
import { explainError } from "./errors.ts";
import { endedWarning } from "./expiry.ts";
import { find } from "./find.ts";
import { functionOf } from "./functions.ts";
import { type Properties, readInputs, textOf } from "./inputs.ts";
import { resourceProperty } from "./internal.ts";
import { previewCreation, previewUpdate } from "./preview.ts";
import { programResource } from "./program-resources.ts";
import { lossesOf, lossesWith, refuseLosses, refuseProtected, removesTogether } from "./losses.ts";
import { parentProperty, recall } from "./outputs.ts";
import * as reading from "./read.ts";
import * as removing from "./remove.ts";
import { shownIn, shownPointers } from "./shown.ts";
import { Secrets } from "./secrets.ts";
import { Sessions } from "./sessions.ts";
import { adoptsAll, allowedInfrastructure, protectsAny, type Config, SettingsError } from "./settings.ts";
import { limitIn, timeoutsIn } from "./timeouts.ts";
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
  readonly #claims = new Claims();
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

  /** Checks inputs, and the settings that a creation needs, without a request. */
  async check(
    kind: string,
    olds: Properties,
    news: Properties,
    config: Config | undefined,
  ): Promise<checking.Checked> {
    const other = programResource(kind);
    const checked = other ? other.check(news) : checking.check(kindOf(kind), olds, news, this.#claims);
    if (checked.failures.length > 0) return checked;
    if (!other) this.#tell(checking.credentialWarning(kindOf(kind), checked.inputs), new Secrets(news));
    const missing = Object.keys(olds).length > 0 ? undefined : await this.#sessions.missingSetting(config);
    return missing === undefined ? checked : { ...checked, failures: [{ property: "", reason: missing }] };
  }

  /**
   * Compares outputs with inputs. Sends requests only where a setting protects a resource that would be replaced, where an
   * update has losses, and to learn of some: when it removes parts with which the server deletes others.
   *
   * @throws Error also for a loss without a consent
   * @param resource its name in the program; default: the name in its inputs
   */
  async diff(
    kind: string,
    id: string,
    olds: Properties,
    news: Properties,
    config: Config | undefined,
    resource = textOf(news, resourceProperty),
  ): Promise<differing.InputDifference> {
    this.#settle(kind, olds);
    const other = programResource(kind);
    if (other) return other.diff(olds, news);
    const secrets = new Secrets(news);
    let difference: differing.InputDifference;
    try {
      difference = differing.diff(this.#bindings, kindOf(kind), id, olds, news, resource);
      this.#tell(doubtsAbout(kindOf(kind), olds, news), secrets);
      const [memory, stated] = [recall(olds), readInputs(kindOf(kind), news)];
      this.#tell(endedWarning(kindOf(kind), memory, stated, this.#clock.now()), secrets);
    } catch (error) {
      throw explainError(error, undefined, secrets);
    }
    const missing = difference.changes ? await this.#sessions.missingSetting(config) : undefined;
    if (missing !== undefined) throw new SettingsError(missing);
    await this.#refuseLosses(subjectOf(kind, id, olds, news), difference, config, secrets);
    return difference;
  }

  async #refuseLosses(
    subject: AddressedResource,
    { fields, replaces }: differing.InputDifference,
    config: Config | undefined,
    secrets: Secrets,
  ): Promise<void> {
    if (replaces.length > 0) {
      if (!protectsAny(config, this.#environment)) return;
      return this.#sessions.within(config, secrets, (session) =>
        refuseProtected(session, subject, "be replaced"),
      );
    }
    const losses = lossesOf(subject.kind, fields);
    if (losses.length === 0 && !removesTogether(subject.kind, fields)) return;
    await this.#sessions.within(config, secrets, async (session) =>
      refuseLosses(session, subject, [...losses, ...(await lossesWith(session, subject, fields))]),
    );
  }

  /** The names in the program of the fields that differ. */
  details(kind: string, difference: differing.InputDifference, versions: Versions): PropertyChange[] {
    const other = programResource(kind);
    return other ? other.details(difference) : detailsOf(kindOf(kind), difference.fields, versions);
  }

  /** The outputs of a creation as far as they are known before it, without a request. */
  previewCreation(kind: string, inputs: Properties, config: Config | undefined): Properties {
    const other = programResource(kind);
    if (other) return other.preview(inputs);
    refuseWithoutConsent(
      kindOf(kind),
      [textOf(inputs, "name") ?? ""],
      "created",
      allowedInfrastructure(config, this.#environment),
    );
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
  cancel(): void {
    this.#sessions.cancel();
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
    resource = textOf(inputs, resourceProperty),
    limit = limitIn(inputs, "create"),
  ): Promise<{ id: string; outs: Properties }> {
    const secrets = new Secrets(inputs, secretOutputs(kind));
    const other = programResource(kind);
    if (other) return other.create(this.#sessions.of(config, secrets), inputs, { resource, limit });
    const { id, outs, done } = await this.#sessions.within(config, secrets, (session) =>
      creating.create(session, kindOf(kind), inputs, resource, limit),
    );
    this.#tell(unkeptBy(kindOf(kind), inputs, done), secrets);
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
    const { outs, done } = await this.#sessions.within(config, secrets, (session) =>
      updating.update(session, kindOf(kind), id, olds, news, limit),
    );
    this.#tell(unkeptBy(kindOf(kind), news, done), secrets);
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
    if (other) return other.remove(this.#sessions.of(config, new Secrets(olds)), olds, { resource, limit });
    return this.#sessions.within(config, new Secrets(olds), (session) =>
      removing.remove(session, kindOf(kind), id, olds, resource, limit),
    );
  }

  /** Notes that a state has a resource. */
  #settle(kind: string, olds: Properties): void {
    const other = programResource(kind);
    const place = other ? other.placeOf?.(olds) : placeOf(kindOf(kind), olds);
    if (place) this.#begun.settle(place);
  }

  /** Shows a warning about values that the server does not keep, once. */
  #tell(message: string | undefined, secrets: Secrets): void {
    if (message === undefined || this.#warned.has(message)) return;
    this.#warned.add(message);
    this.#warn(secrets.hide(message));
  }
}

function subjectOf(kind: string, id: string, olds: Properties, news: Properties): AddressedResource {
  const names = [textOf(olds, "name"), textOf(news, "name")];
  return { kind: kindOf(kind), id, parentId: textOf(olds, parentProperty(kindOf(kind))), names };
}

function placeOf(kind: Kind, olds: Properties): ResourcePlace | undefined {
  const parentId = textOf(olds, parentProperty(kind));
  const name = textOf(olds, "name");
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
