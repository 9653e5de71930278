import * as pulumi from "@pulumi/pulumi";
import {
  ignoredProperty,
  resourceProperty,
  retainedProperty,
  secretProperty,
  timeoutsProperty,
} from "../lifecycle/internal.ts";
import { providerOf } from "./provider.ts";
import { secretPointers, type SecretInput, withSecretInput } from "./secrets.ts";
import { warnOfPlainToken } from "./warning.ts";

/**
 * A resource of the API in a stack.
 *
 * @public The classes that the build writes extend it.
 */
export abstract class ApiResource extends pulumi.dynamic.Resource {
  /**
   * @param kind as the lifecycle knows it: `Job`
   * @param given its inputs
   */
  // These rules take a call of `super` that may throw for one that may be missing.
  // oxlint-disable-next-line constructor-super, no-this-before-super
  protected constructor(
    kind: string,
    name: string,
    given: object,
    {
      names,
      references,
      secret = [],
    }: {
      names: readonly string[];
      /** The paths of the references among them, members separated by dots: `source.image.registry`. */
      references: readonly string[];
      /** The inputs and outputs that are secret even if the program does not say so. */
      secret?: readonly SecretInput[];
    },
    options: pulumi.CustomResourceOptions | undefined,
  ) {
    warnOfPlainToken();
    const args = secret.reduce(withSecretInput, given);
    const unset = Object.fromEntries(names.map((output) => [output, undefined]));
    const internal = {
      [secretProperty]: secretPointers(args),
      [resourceProperty]: urnOf(name, kind, options?.parent),
    };
    const resume = pauseStackTraces();
    try {
      super(
        providerOf(kind),
        name,
        { ...unset, ...args, ...internal },
        // For replacements without a call of `diff`: `--replace`, `--target-replace`, a taint.
        {
          deleteBeforeReplace: true,
          ...options,
          transformations: [readOptionsLast, ...(options?.transformations ?? [])],
          additionalSecretOutputs: [
            ...secret.flatMap(({ path }) => (path.includes(".") ? [] : [path])),
            ...(options?.additionalSecretOutputs ?? []),
          ],
        },
        "infrasync",
        kind,
      );
    } catch (error) {
      resume();
      if (error instanceof Error) Error.captureStackTrace(error);
      throw error;
    } finally {
      resume();
    }
    const { deleteContents = false } = given as { deleteContents?: unknown };
    if (deleteContents !== false) emptied.add(this);
    withholdReferences(this, references);
    if (options?.replaceOnChanges !== undefined && options.replaceOnChanges.length > 0)
      void pulumi.log.warn(
        "replaceOnChanges has no effect, because Pulumi does not tell it to dynamic providers; use `pulumi up --replace URN`, or the plugin",
        this,
      );
  }
}

/** The resources whose deletion takes what is in them along. */
const emptied = new WeakSet<pulumi.Resource>();

/** The URN of a resource, as the engine makes it. A promise: an output would make the resource wait for all that is in its parent. */
function urnOf(name: string, kind: string, parent: pulumi.Resource | undefined): Promise<string> {
  const urn = pulumi.createUrn(name, `pulumi-nodejs:dynamic/infrasync:${kind}`, parent);
  return new Promise((resolve) => urn.apply(resolve));
}

/**
 * Adds to the inputs of a resource what the engine tells no dynamic provider: some of its options. It runs before the other
 * transformations, those of its parents and of the stack too, and adds one that runs after them, since they may change the options.
 */
function readOptionsLast({ resource }: pulumi.ResourceTransformationArgs): undefined {
  const { __transformations: all } = resource as unknown as {
    __transformations: pulumi.ResourceTransformation[];
  };
  const last: pulumi.ResourceTransformation = ({ props, opts }) => {
    // What is in the resource inherits the others.
    for (const own of [readOptionsLast, last]) all.splice(all.indexOf(own), 1);
    const options: pulumi.CustomResourceOptions = opts;
    const read = {
      [retainedProperty]: options.retainOnDelete === true ? true : undefined,
      [ignoredProperty]: options.ignoreChanges,
      [timeoutsProperty]: options.customTimeouts,
    };
    const { deletedWith, ...others } = options;
    const isEmptied = !(deletedWith instanceof ApiResource) || emptied.has(deletedWith);
    // The engine takes a resource with this option out of its state before the deletion of the other one is refused.
    if (!isEmptied)
      void pulumi.log.warn(
        "the option deletedWith that names this resource has no effect, because it does not set deleteContents: true",
        deletedWith,
      );
    return { props: { ...props, ...read }, opts: isEmptied ? opts : others };
  };
  all.push(last);
}

/**
 * Makes errors take no stack trace until the function that it returns is called. For each of the promises of a resource,
 * four for each of its outputs, Pulumi takes one, for those who look for promises that are never kept; that would be a third
 * of the time of a program with fifty jobs. Where a resource was made is known all the same: for that, Pulumi lifts the limit.
 */
function pauseStackTraces(): () => void {
  const { stackTraceLimit } = Error;
  if (!process.env["PULUMI_DEBUG_PROMISE_LEAKS"]) Error.stackTraceLimit = 0;
  return () => {
    Error.stackTraceLimit = stackTraceLimit;
  };
}

/**
 * Marks references among the outputs of a resource as unknown during a preview. Until a resource has been created or
 * changed, the engine gives its inputs as its outputs, so a reference would be a text instead of `{id, name}`.
 *
 * @param paths the paths of the references: `source.image.registry`
 */
function withholdReferences(resource: object, paths: readonly string[]): void {
  if (!pulumi.runtime.isDryRun()) return;
  const outputs = resource as Record<
    string,
    { apply(run: (value: unknown) => unknown, withUnknowns: true): pulumi.Output<unknown> } | undefined
  >;
  for (const path of paths) {
    const [property = "", ...inside] = path.split(".");
    const output = outputs[property];
    if (output) outputs[property] = output.apply((value) => withhold(value, inside), true);
  }
}

function withhold(value: unknown, path: readonly string[]): unknown {
  if (pulumi.isUnknown(value)) return value;
  if (Array.isArray(value)) return value.map((element) => withhold(element, path));
  const [member, ...inside] = path;
  if (member === undefined) return typeof value === "string" ? pulumi.unknown : value;
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, member)) return value;
  return { ...value, [member]: withhold((value as Record<string, unknown>)[member], inside) };
}
