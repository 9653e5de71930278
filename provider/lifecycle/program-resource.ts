import type { FieldSchema } from "../../core/model/kinds/index.ts";
import type { UnfinishedCreations } from "./unfinished-creations.ts";
import type { CheckResult } from "./check.ts";
import type { PropertyChange, Versions } from "./details.ts";
import type { InputDifference, JudgedDifference } from "./diff.ts";
import type { Properties } from "./inputs.ts";
import type { RunLedger } from "./ledger.ts";
import type { Order, ProgramQuestion } from "./plan-request.ts";
import type { ReadResource } from "./read.ts";
import type { ProviderSession } from "./session.ts";

/** What is known of a pass without a request. */
export interface ProgramPass {
  ledger: RunLedger;
  begun: UnfinishedCreations;
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
  check(olds: Properties, news: Properties, pass: ProgramPass): CheckResult;
  /**
   * What the gate is asked about a new resource, or about the change of one, before it is made; undefined where that is not known
   * yet. The check, the comparison and the preview ask it, and read nothing but names for it.
   */
  question(
    session: ProviderSession,
    news: Properties,
    state?: { id: string; olds: Properties },
  ): ProgramQuestion | Order | undefined;
  /** Compares, without a request. */
  diff(
    pass: ProgramPass,
    id: string,
    olds: Properties,
    news: Properties,
    resource: string | undefined,
  ): JudgedDifference;
  /** The names in the program of the fields that differ. */
  details(difference: InputDifference, versions: Versions): PropertyChange[];
  /**
   * The outputs of a creation or an update as far as they are known before it.
   *
   * @param olds undefined for a creation
   * @param adopts whether every creation takes over what has its name
   */
  preview(olds: Properties | undefined, news: Properties, adopts: boolean): Properties;
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
  description: string;
  /** Its inputs, in camelCase. */
  inputs: FieldSchema;
  /** The outputs that it has beside its inputs, all of them always present. */
  outputs: Record<string, FieldSchema>;
  /** Whether outputs come from a creation, and not from a program or an import. */
  isKnown(outputs: Properties): boolean;
}
