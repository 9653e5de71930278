import type { FieldSchema } from "../../core/model/kinds/index.ts";
import type { UnfinishedCreations } from "./unfinished-creations.ts";
import type { CheckResult } from "./check.ts";
import type { PropertyChange, Versions } from "./details.ts";
import type { InputDifference, JudgedDifference } from "./diff.ts";
import type { Properties } from "./inputs.ts";
import type { RunLedger } from "./ledger.ts";
import type { Order, ResourceQuestion } from "./plan-request.ts";
import type { ReadResource } from "./read.ts";
import type { ProviderSession } from "./session.ts";

/** The facts that a pass knows without a request. */
export interface ProgramPass {
  ledger: RunLedger;
  started: UnfinishedCreations;
  now: number;
  /** Which organization the provider of a checked resource has, in any form; undefined: unknown. */
  organization?: string | undefined;
}

/** The name of a resource in a program, if it is known, and the milliseconds for which a call may wait. */
export interface CallOptions {
  resource?: string | undefined;
  limit?: number | undefined;
}

export interface WrittenResource {
  outs: Properties;
  notes?: readonly string[];
}

/** The operations of a program on resources of one sort, on plain values. */
export interface ResourceLifecycle {
  /** The outputs that are secret for any inputs, as JSON pointers. @param olds those that outputs have */
  secretOutputs?(olds?: Properties): string[];
  /** Checks inputs, without a request. Unknown values pass. @param olds the former inputs; none for a new resource */
  check(olds: Properties, news: Properties, pass: ProgramPass, resource?: string): CheckResult;
  /**
   * The plan request for a new resource, or for a change, before it is made; undefined: not known yet. The check, the
   * comparison and the preview ask it, and read only names for it.
   */
  question(
    session: ProviderSession,
    news: Properties,
    state?: { id: string; olds: Properties },
  ): Promise<ResourceQuestion | Order | undefined>;
  diff(
    pass: ProgramPass,
    id: string,
    olds: Properties,
    news: Properties,
    resource: string | undefined,
  ): JudgedDifference;
  details(difference: InputDifference, versions: Versions): PropertyChange[];
  /**
   * The known outputs before a creation or an update.
   *
   * @param olds undefined for a creation
   * @param adopts whether every creation adopts a resource of that name
   */
  preview(olds: Properties | undefined, news: Properties, adopts: boolean): Properties;
  create(
    session: ProviderSession,
    news: Properties,
    options: CallOptions,
  ): Promise<WrittenResource & { id: string }>;
  read(session: ProviderSession, id: string, olds: Properties): Promise<ReadResource>;
  /** Finds a resource that is not in the state. @throws Error where it cannot be imported */
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

/** A resource that exists only in programs, such as `Deployment`. */
export interface ProgramResource extends ResourceLifecycle {
  /** Passed in place of the name of a kind. */
  name: string;
  description: string;
  inputs: FieldSchema;
  /** The outputs beside its inputs; all are always present. */
  outputs: Record<string, FieldSchema>;
  /** Whether outputs come from a creation, not from a program or an import. */
  isKnown(outputs: Properties): boolean;
}
