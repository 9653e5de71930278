import { own } from "../../core/values/json.ts";
import { hasUnknown } from "../../core/problems/unknown.ts";
import { inSentence } from "../../core/values/text.ts";
import { kindOfUrn } from "./types.ts";
import {
  type CheckResult,
  type Config,
  type InputDifference,
  Lifecycle,
  programResource,
  type Properties,
  type PropertyChange,
  secretProperty,
  Secrets,
  type Warn,
} from "../lifecycle/index.ts";

/** The most characters of a value that messages show. */
const mostShown = 200;

/** Shows the user a message, at a resource if there is one. */
export type Tell = (severity: "info" | "wait" | "warning" | "error", message: string, urn?: string) => void;

export interface DetailedDifference extends InputDifference {
  details: PropertyChange[];
}

/**
 * The provider that a plugin process serves: the lifecycle, with the configuration that the engine has given. Properties
 * are plain values; the property `__secret` lists those that are secret.
 */
export class Provider {
  readonly lifecycle: Lifecycle;
  readonly #tell: Tell;
  readonly #reported = new Set<string>();
  /** The configuration that the engine has given; undefined before that. */
  config: Config | undefined;

  /** @param engineAddress where the engine listens, as soon as it has said so */
  constructor(environment: NodeJS.ProcessEnv, tell: Tell, engineAddress?: () => string | undefined) {
    this.#tell = tell;
    const warn: Warn = (message, isWait) => tell(isWait ? "wait" : "warning", message);
    const inform = (message: string) => tell("info", message);
    this.lifecycle = new Lifecycle(environment, warn, undefined, engineAddress, inform);
  }

  async check(urn: string, olds: Properties, news: Properties): Promise<CheckResult> {
    const checked = await this.lifecycle.check(kindOfUrn(urn), olds, news, this.config, urn);
    const secrets = new Secrets(checked.inputs);
    // The engine prints the value of the input that a failure names, and for a member of one `<nil>`.
    const isFit = (input: string) => {
      const value = own(checked.inputs, input) ?? {};
      return typeof value !== "object" && !secrets.touches(`/${input}`) && String(value).length <= mostShown;
    };
    const failures = checked.failures.map(({ property, reason }) => ({
      property: isFit(property) ? property : "",
      reason,
    }));
    return { ...checked, failures };
  }

  async diff(
    urn: string,
    id: string,
    versions: Record<"oldInputs" | "oldOutputs" | "inputs", Properties>,
  ): Promise<DetailedDifference> {
    const kind = kindOfUrn(urn);
    const { oldOutputs, inputs } = versions;
    const difference = await this.lifecycle.diff(kind, id, oldOutputs, inputs, this.config, urn);
    const details = this.lifecycle.details(kind, difference, versions);
    // The engine does not tell a plugin the options of a resource.
    const retained =
      difference.keepsName || hasUnknown(inputs)
        ? "; the old one is deleted first, so this fails if `retainOnDelete: true` keeps it"
        : "";
    for (const [reason, paths] of Map.groupBy(details, ({ replaces }) => replaces)) {
      const message = `a change of ${inSentence(paths.map(({ path }) => path))} replaces the ${kind}: ${reason}${retained}`;
      const key = `${urn} ${message}`;
      if (reason === undefined || this.#reported.has(key)) continue;
      this.#reported.add(key);
      this.#tell("info", message, urn);
    }
    return { ...difference, details };
  }

  /** The outputs before a creation or an update. @param outputs undefined for a creation */
  async preview(urn: string, outputs: Properties | undefined, inputs: Properties): Promise<Properties> {
    const after = await this.lifecycle.preview(kindOfUrn(urn), outputs, inputs, this.config);
    return { ...after, ...secretsOf(inputs) };
  }

  /** Reads a resource of the state, or one that is not in it yet; an empty id when there is none. */
  async read(
    urn: string,
    id: string,
    outputs: Properties,
    inputs: Properties,
  ): Promise<{ id: string; props: Properties; inputs: Properties }> {
    const kind = kindOfUrn(urn);
    // A program that gets a resource may state some of its properties, but not the memory of the provider.
    const isKnown = programResource(kind)?.isKnown(outputs) ?? Object.hasOwn(outputs, "__stated");
    const found = isKnown
      ? await this.lifecycle.read(kind, id, outputs, this.config)
      : await this.lifecycle.find(kind, id, this.config);
    return { ...found, inputs: { ...(found.inputs ?? inputs), ...secretsOf(inputs) } };
  }
}

function secretsOf({ [secretProperty]: pointers }: Properties): Properties {
  return pointers === undefined ? {} : { [secretProperty]: pointers };
}
