import type { Clock } from "../../../core/api/index.ts";
import { UnfinishedError } from "../../../provider/lifecycle/errors.ts";
import type { Properties } from "../../../provider/lifecycle/inputs.ts";
import { Lifecycle } from "../../../provider/lifecycle/lifecycle.ts";

/** A resource of a program. */
export interface Declared {
  kind: string;
  inputs: Properties;
}

interface Entry extends Declared {
  id: string;
  outputs: Properties;
}

/** A stack, and what the engine of Pulumi calls in which order: each run is a process of its own. */
export class Stack {
  readonly state = new Map<string, Entry>();
  readonly #config: Record<string, string>;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #clock: Clock;

  constructor(config: Record<string, string>, environment: NodeJS.ProcessEnv, clock: Clock) {
    this.#config = config;
    this.#environment = environment;
    this.#clock = clock;
  }

  /** The same stack with the state of an earlier version of it, or of a run that was killed. */
  with(state: ReadonlyMap<string, Entry>): Stack {
    const stack = new Stack(this.#config, this.#environment, this.#clock);
    for (const [name, entry] of state) stack.state.set(name, entry);
    return stack;
  }

  /** Shows what a program would change, and returns the warnings. @param forced what the user replaces: the engine does not compare it */
  async preview(program: Record<string, Declared>, ...forced: readonly string[]): Promise<string[]> {
    const warnings: string[] = [];
    const { lifecycle, config } = this.#start({}, (warning) => warnings.push(warning));
    for (const [name, { kind, inputs: news }] of Object.entries(program)) {
      const old = this.state.get(name);
      const isForced = forced.includes(name);
      const olds = isForced || !old ? {} : old.inputs;
      const { inputs, failures } = await lifecycle.check(kind, olds, news, config, name);
      if (failures.length > 0) throw new Error(failures.map(({ reason }) => reason).join("\n"));
      if (old && !isForced) await lifecycle.diff(kind, old.id, old.outputs, inputs, config, name);
      else await lifecycle.preview(kind, undefined, inputs, config);
    }
    return warnings;
  }

  /** Brings the server to a program, and returns the steps. Throws at the first error, before anything is deleted. */
  async up(
    program: Record<string, Declared>,
    more: Record<string, string> = {},
    ...forced: readonly string[]
  ): Promise<string[]> {
    const { lifecycle, config } = this.#start(more);
    const steps: string[] = [];
    for (const [name, { kind, inputs: news }] of Object.entries(program)) {
      const old = this.state.get(name);
      const isForced = forced.includes(name);
      const olds = isForced || !old ? {} : old.inputs;
      const checked = await lifecycle.check(kind, olds, news, config, name);
      if (checked.failures.length > 0)
        throw new Error(checked.failures.map(({ reason }) => reason).join("\n"));
      const { inputs } = checked;
      const diff =
        old && !isForced && (await lifecycle.diff(kind, old.id, old.outputs, inputs, config, name));
      if (old && diff && diff.replaces.length === 0) {
        const { outs: outputs } = diff.changes
          ? await lifecycle.update(kind, old.id, old.outputs, inputs, config)
          : { outs: old.outputs };
        this.state.set(name, { ...old, inputs, outputs });
        if (diff.changes) steps.push(`update ${name}`);
        continue;
      }
      if (old) {
        await lifecycle.remove(kind, old.id, old.outputs, config, name);
        this.state.delete(name);
        steps.push(`delete ${name}`);
      }
      try {
        const { id, outs: outputs } = await lifecycle.create(kind, inputs, config, name);
        this.state.set(name, { kind, inputs, id, outputs });
        steps.push(`create ${name}`);
      } catch (error) {
        if (error instanceof UnfinishedError)
          this.state.set(name, { kind, inputs, id: error.id, outputs: error.properties });
        throw error;
      }
    }
    for (const [name, { kind, id, outputs }] of [...this.state].toReversed()) {
      if (program[name]) continue;
      await lifecycle.remove(kind, id, outputs, config, name);
      this.state.delete(name);
      steps.push(`delete ${name}`);
    }
    return steps;
  }

  /** Reads all that the state has. */
  async refresh(): Promise<void> {
    const { lifecycle, config } = this.#start();
    for (const [name, entry] of this.state) {
      const read = await lifecycle.read(entry.kind, entry.id, entry.outputs, config);
      if (read.id === "") this.state.delete(name);
      else this.state.set(name, { ...entry, id: read.id, outputs: read.props });
    }
  }

  #start(more: Record<string, string> = {}, warn: (message: string) => void = () => {}) {
    const values = { ...this.#config, ...more };
    return {
      lifecycle: new Lifecycle(this.#environment, warn, this.#clock),
      config: { get: (key: string) => values[key] },
    };
  }
}
