import type { FieldChange } from "../../model/fields/compare.ts";
import type { Fields } from "../../values/json.ts";
import type { PlannedChange } from "../../model/kinds/index.ts";
import type { DesiredResource } from "../../manifests/manifest/index.ts";
import type { PendingClone } from "./action.ts";
import type { Parent } from "./expectations.ts";
import type { ExpectedResource } from "./expected-resources.ts";
import type { Refusal } from "./findings.ts";

/** The base of a document: nothing, the source of a clone, or the existing resource (or one of another action). */
export const bases = ["nothing", "source", "existing"] as const;

/** One of `bases`. */
export type Base = (typeof bases)[number];

/** A document over its base. Each step of planning returns its additions and changes nothing here. */
export interface Overlay {
  readonly on: Base;
  readonly base: ExpectedResource | undefined;
  readonly parent: Parent;
  /** The document as given. */
  readonly given: DesiredResource;
  /** The document with derived fields. */
  readonly desired: DesiredResource;
  /** The fields that are laid over the base. */
  readonly declared: Fields;
  /** The fields of the base. Of a source: those that a copy gets. */
  readonly fields: Fields;
  /** The fields of the base, spelled as the document spells them, for the comparison; undefined: `fields` is. */
  readonly present: Fields | undefined;
  readonly coming: PendingClone | undefined;
  readonly refusals: readonly Refusal[];
}

/** An overlay and the differences of its result from its base. `present` is undefined without a base. */
export interface Comparison extends Overlay {
  readonly how: PlannedChange["how"];
  readonly expected: Fields;
  /** From present to wanted, including the name. */
  readonly changes: readonly FieldChange[];
  /** Why an update cannot make the changes. */
  readonly reasons: readonly string[];
}

export type AddedState = Partial<Pick<Overlay, "desired" | "declared" | "fields" | "present" | "refusals">>;

/** For a step that runs on every base. */
export const everyBase = { nothing: true, source: true, existing: true } as const;
