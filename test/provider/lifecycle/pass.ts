import type { Clock } from "../../../core/index.ts";
import { kindOf } from "../../../core/model/kinds/index.ts";
import type { Emulator } from "../../../emulator/index.ts";
import { RunLedger } from "../../../provider/lifecycle/ledger.ts";
import { check } from "../../../provider/lifecycle/check.ts";
import { create } from "../../../provider/lifecycle/create.ts";
import { type InputDifference, diff } from "../../../provider/lifecycle/diff.ts";
import { explainError, UnfinishedError } from "../../../provider/lifecycle/errors.ts";
import type { Properties } from "../../../provider/lifecycle/inputs.ts";
import { Secrets } from "../../../provider/lifecycle/secrets.ts";
import { read } from "../../../provider/lifecycle/read.ts";
import { remove } from "../../../provider/lifecycle/remove.ts";
import { ProviderSession } from "../../../provider/lifecycle/session.ts";
import { readSettings } from "../../../provider/lifecycle/settings.ts";
import { update } from "../../../provider/lifecycle/update.ts";

/** The state of a stack for one resource. */
export interface Entry {
  kind: string;
  id: string;
  inputs: Properties;
  outputs: Properties;
  initErrors: string[];
}

/** The effect of an `up` on a resource. */
export type Step = "create" | "update" | "replace" | "same";

/** One run of the engine for one resource: a new process, without memory of earlier runs. */
export class Pass {
  readonly session: ProviderSession;

  private constructor(session: ProviderSession) {
    this.session = session;
  }

  /** @param cache a folder for what is read; default: nothing is kept */
  static async start(
    emulator: Emulator,
    config: Record<string, string> = {},
    clock?: Clock,
    cache?: string,
    signal?: AbortSignal,
  ): Promise<Pass> {
    const environment = { ...process.env, HOME: "", XDG_CACHE_HOME: "", INFRASYNC_CACHE: cache };
    const values: Record<string, string> = {
      "infrasync:baseUrl": emulator.url,
      "infrasync:token": emulator.tokens.admin,
      "infrasync:cloneTimeout": "2s",
      ...config,
    };
    const settings = await readSettings({ get: (key) => values[key] }, {});
    return new Pass(
      new ProviderSession(settings, new RunLedger(), environment, console.error, signal, clock),
    );
  }

  /** The first calls of `pulumi preview` and `pulumi up`; throws the failures of the check. */
  diff(entry: Entry, news: Properties, resource?: string): Omit<InputDifference, "fields" | "keepsName"> {
    this.#check(entry.kind, entry.inputs, news);
    const { changes, replaces, deleteBeforeReplace } = diff(
      this.session.ledger,
      kindOf(entry.kind),
      entry.id,
      entry.outputs,
      news,
      resource,
    );
    return { changes, replaces, deleteBeforeReplace };
  }

  #check(kind: string, olds: Properties, news: Properties): Properties {
    const { inputs, failures } = check(kindOf(kind), olds, news, this.session.ledger);
    if (failures.length > 0) throw new Error(failures.map(({ reason }) => reason).join("\n"));
    return inputs;
  }

  /** @param resource what the program calls it */
  async create(kind: string, news: Properties, resource?: string): Promise<Entry> {
    const inputs = this.#check(kind, {}, news);
    try {
      const given = { ...inputs, __provider: "text" };
      const { id, outs } = await create(this.session, kindOf(kind), given, { resource });
      return { kind, id, inputs, outputs: outs, initErrors: [] };
    } catch (error) {
      if (error instanceof UnfinishedError) {
        // Members that read and delete need, and that the engine does not add here.
        if (error.properties["__provider"] !== "text")
          throw new Error("the provider is lost", { cause: error });
        return { kind, id: error.id, inputs, outputs: error.properties, initErrors: error.reasons };
      }
      throw explainError(error, this.session.settings, new Secrets(news));
    }
  }

  /** Brings a resource of the state to the inputs of the program. */
  async up(entry: Entry, news: Properties): Promise<{ entry: Entry; step: Step }> {
    const { changes, replaces } = this.diff(entry, news);
    if (replaces.length > 0) {
      await this.remove(entry);
      return { entry: await this.create(entry.kind, news), step: "replace" };
    }
    if (!changes) return { entry: { ...entry, inputs: news }, step: "same" };
    return { entry: await this.update(entry, news), step: "update" };
  }

  async update(entry: Entry, news: Properties): Promise<Entry> {
    try {
      const { outs } = await update(this.session, kindOf(entry.kind), entry.id, entry.outputs, news, {});
      return { ...entry, inputs: news, outputs: outs, initErrors: [] };
    } catch (error) {
      throw explainError(error, this.session.settings, new Secrets(news));
    }
  }

  /** Undefined when the resource is gone. */
  async refresh(entry: Entry): Promise<Entry | undefined> {
    const { id, props, inputs } = await read(this.session, kindOf(entry.kind), entry.id, entry.outputs);
    return id === "" ? undefined : { ...entry, id, outputs: props, inputs: inputs ?? entry.inputs };
  }

  async remove(entry: Entry, resource?: string): Promise<void> {
    await remove(this.session, kindOf(entry.kind), entry.id, entry.outputs, { resource });
  }
}
