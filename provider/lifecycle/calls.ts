import type { InputDifference } from "./diff.ts";
import { withoutStack } from "./errors.ts";
import type { Properties } from "./inputs.ts";
import { endWithEngine, engineAddressIn, onCancel } from "./engine-process.ts";
import { Lifecycle } from "./lifecycle.ts";
import type { Config } from "./settings.ts";

/*
 * The provider code in the engine's state calls these functions by these names, so they change only with a major
 * version. All resources of a provider process share one lifecycle.
 *
 * `kind` is the name of a kind (`Job`) or of another resource of programs (`Deployment`). `olds` are the outputs in the state, but in `check` the former inputs; `news` and `inputs` are those of the program. All are in camelCase. `config` is the stack's configuration; environment variables override it.
 */

const address = engineAddressIn(process.argv);
const lifecycle = new Lifecycle(undefined, undefined, undefined, () => address);

if (address !== undefined) {
  endWithEngine(address);
  onCancel(() => void lifecycle.cancel());
}

type Call<Name extends "create" | "read" | "update" | "remove" | "diff"> = Parameters<Lifecycle[Name]>;

/** The engine prints the errors. */
async function answer<Result>(work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw withoutStack(error);
  }
}

/**
 * Checks inputs, and judges a creation. A failure names no property, because the engine would print its value before the
 * reason, which names the property already.
 *
 * @param olds the inputs in the state; none for a new resource
 * @returns the inputs for the state, and the mistakes
 */
export async function check(
  kind: string,
  olds: Properties,
  news: Properties,
  config: Config | undefined,
): Promise<{ inputs: Properties; failures: { property: ""; reason: string }[] }> {
  const { inputs, failures } = await answer(() => lifecycle.check(kind, olds, news, config));
  const reasons = failures.map(({ reason }) => reason);
  // The engine asks for no preview of a creation.
  if (reasons.length === 0 && Object.keys(olds).length === 0)
    await lifecycle
      .judge(kind, config, inputs)
      .catch((error: unknown) => reasons.push((error as Error).message));
  return { inputs, failures: reasons.map((reason) => ({ property: "", reason })) };
}

/** Compares outputs with inputs. */
export async function diff(...call: Call<"diff">): Promise<Omit<InputDifference, "fields" | "keepsName">> {
  const { changes, replaces, deleteBeforeReplace } = await answer(() => lifecycle.diff(...call));
  return { changes, replaces, deleteBeforeReplace };
}

/** Creates a resource, clones it, or takes it over. */
export const create = (...call: Call<"create">) => answer(() => lifecycle.create(...call));

/** Reads a live resource. */
export const read = (...call: Call<"read">) => answer(() => lifecycle.read(...call));

/** Changes a resource. */
export const update = (...call: Call<"update">) => answer(() => lifecycle.update(...call));

/** Deletes a resource, and waits until it is gone. Exported as `delete`, which cannot be the name of a constant. */
const remove = (...call: Call<"remove">) => answer(() => lifecycle.remove(...call));

export { remove as delete };
