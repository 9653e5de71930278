import type { FieldSchema } from "../../core/kinds/index.ts";
import type { BegunCreations } from "./begun.ts";
import type { Checked } from "./check.ts";
import type { PropertyChange, Versions } from "./details.ts";
import type { InputDifference, JudgedDifference } from "./diff.ts";
import type { Properties } from "./inputs.ts";
import type { RunLedger } from "./ledger.ts";
import type { ReadResource } from "./read.ts";
import type { ProviderSession } from "./session.ts";

/** What is known of a pass without a request. */
export interface ProgramPass {
  ledger: RunLedger;
  begun: BegunCreations;
  /** Milliseconds since 1970. */
  now: number;
}

/** The name of a resource in a program, and the milliseconds for which a call may wait. */
export interface CallOptions {
  resource?: string | undefined;
  limit?: number | undefined;
}

/** A resource as a call leaves it. */
export interface WrittenResource {
  outs: Properties;
  /** What a user should know. */
  notes?: readonly string[];
}

/** What a program can do with resources of one sort, on plain values. */
export interface ResourceLifecycle {
  /** The outputs that are secret whatever the inputs are, as JSON pointers. @param olds those of them that outputs have */
  secretOutputs?(olds?: Properties): string[];
  /** Checks inputs, without a request. Values that are not known yet pass. @param olds the inputs of the existing resource; none for a new one */
  check(olds: Properties, news: Properties, pass: ProgramPass): Checked;
  /** Judges a new resource with the settings of the stack, and says what a user should know. */
  judgeCreation(session: ProviderSession, news: Properties): Promise<readonly string[]>;
  /** Compares, without a request. */
  diff(
    pass: ProgramPass,
    id: string,
    olds: Properties,
    news: Properties,
    resource: string | undefined,
  ): JudgedDifference;
  /** Judges a change with the settings of the stack, and says what a user should know. */
  judgeChange(
    session: ProviderSession,
    id: string,
    olds: Properties,
    news: Properties,
    difference: JudgedDifference,
  ): Promise<readonly string[]>;
  /** The names in the program of the fields that differ. */
  details(difference: InputDifference, versions: Versions): PropertyChange[];
  /** The outputs of a creation as far as they are known before it. @param adopts whether every creation takes over what has its name */
  preview(news: Properties, adopts: boolean): Properties;
  /** The outputs of an update as far as they are known before it. */
  previewUpdate(olds: Properties, news: Properties): Properties;
  create(
    session: ProviderSession,
    news: Properties,
    options: CallOptions,
  ): Promise<WrittenResource & { id: string }>;
  read(session: ProviderSession, id: string, olds: Properties): Promise<ReadResource>;
  /** Finds one that is not in the state. @throws Error where it cannot be imported */
  find(session: ProviderSession, idOrPath: string): Promise<ReadResource>;
  update(
    session: ProviderSession,
    id: string,
    olds: Properties,
    news: Properties,
    options: CallOptions,
  ): Promise<WrittenResource>;
  remove(session: ProviderSession, id: string, olds: Properties, options: CallOptions): Promise<void>;
}

/** A resource that exists only in programs, such as `Deployment`: manifests state it in another way, or not at all. */
export interface ProgramResource extends ResourceLifecycle {
  /** Its name, as front ends pass the name of a kind. */
  name: string;
  /** A sentence that describes it. */
  description: string;
  /** Its inputs, in camelCase. */
  inputs: FieldSchema;
  /** The outputs that it has beside its inputs, all of them always present. */
  outputs: Record<string, FieldSchema>;
  /** Whether outputs come from a creation, and not from a program or an import. */
  isKnown(outputs: Properties): boolean;
}
