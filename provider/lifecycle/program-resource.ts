import type { FieldSchema, Kind } from "../../core/kinds/index.ts";
import type { ResourcePlace } from "../../core/operations/index.ts";
import type { Checked, InputMistake } from "./check.ts";
import type { PropertyChange } from "./details.ts";
import type { InputDifference } from "./diff.ts";
import type { Properties } from "./inputs.ts";
import type { ReadResource } from "./read.ts";
import type { ProviderSession } from "./session.ts";

/** Does work with a session of the configured server. */
export type Within = <Result>(work: (session: ProviderSession) => Promise<Result>) => Promise<Result>;

/** The name of a resource in a program, and the milliseconds for which a call may wait. */
export interface CallOptions {
  resource?: string | undefined;
  limit?: number | undefined;
}

/** A resource that exists only in programs, such as `Deployment`: manifests state it in another way, or not at all. */
export interface ProgramResource {
  /** Its name, as front ends pass the name of a kind. */
  name: string;
  /** A sentence that describes it. */
  description: string;
  /** Its inputs, in camelCase. */
  inputs: FieldSchema;
  /** The outputs that it has beside its inputs, all of them always present. */
  outputs: Record<string, FieldSchema>;
  /** Checks inputs, without a request. Values that are not known yet pass. */
  check(news: Properties): Checked;
  /** The mistakes in inputs that name other resources, by the kinds of those that the program has. */
  misfits?(news: Properties, kindOfId: (id: string) => Kind | undefined): InputMistake[];
  /** Compares, without a request. */
  diff(olds: Properties, news: Properties): InputDifference;
  details(difference: InputDifference): PropertyChange[];
  /** The outputs of a creation as far as they are known before it. */
  preview(news: Properties): Properties;
  /** The outputs of an update as far as they are known before it. */
  previewUpdate(olds: Properties, news: Properties): Properties;
  create(within: Within, news: Properties, options: CallOptions): Promise<{ id: string; outs: Properties }>;
  read(within: Within, id: string, olds: Properties): Promise<ReadResource>;
  /** The place under which its creation is noted; absent: no creation is. */
  placeOf?(outputs: Properties): ResourcePlace | undefined;
  /** The entry of an owner that it states; absent: it is none. */
  entryOf?(properties: Properties): { ownerId: string; key: string } | undefined;
  /** Whether outputs come from a creation, and not from a program or an import. */
  isKnown(outputs: Properties): boolean;
  /** @throws Error where it cannot be imported */
  find(within: Within, id: string): Promise<ReadResource>;
  update(
    within: Within,
    olds: Properties,
    news: Properties,
    options: CallOptions,
  ): Promise<{ outs: Properties }>;
  remove(within: Within, olds: Properties, options: CallOptions): Promise<void>;
}
