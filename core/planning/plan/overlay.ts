import type { FieldChange } from "../../model/fields/compare.ts";
import type { Fields } from "../../values/json.ts";
import type { PlannedChange } from "../../model/kinds/index.ts";
import type { DesiredResource } from "../../manifests/manifest/index.ts";
import type { PendingClone } from "./action.ts";
import type { Parent } from "./expectations.ts";
import type { ExpectedResource } from "./expected-resources.ts";
import type { Refusal } from "./findings.ts";

/**
 * The base of a document: nothing, the source of a clone, or the resource that exists already or that another action of
 * the plan brings.
 */
export const bases = ["nothing", "source", "existing"] as const;

/** The base of a document: nothing, the source of its clone, or the existing resource. */
export type Base = (typeof bases)[number];

/** A document that is laid over a base. Each step of planning returns its additions and changes nothing here. */
export interface Overlay {
  readonly on: Base;
  /** The source or the existing resource. */
  readonly base: ExpectedResource | undefined;
  readonly parent: Parent;
  /** The document as it is. */
  readonly given: DesiredResource;
  /** The document with the fields that follow from it. */
  readonly desired: DesiredResource;
  /** The fields that are laid over the base. */
  readonly stated: Fields;
  /** The fields of the base. Of a source: those that a copy has. */
  readonly fields: Fields;
  /** The fields of the base in the words of the document, for the comparison; undefined if they are in these words already. */
  readonly present: Fields | undefined;
  /** The clone of an earlier run that may still create the resource. */
  readonly coming: PendingClone | undefined;
  readonly refusals: readonly Refusal[];
}

/** An overlay and how its result differs from its base. `present` is undefined where there is no base. */
export interface Comparison extends Overlay {
  readonly how: PlannedChange["how"];
  readonly wanted: Fields;
  /** From present to wanted; the name is among them if it differs. */
  readonly changes: readonly FieldChange[];
  /** Why an update cannot make the changes. */
  readonly reasons: readonly string[];
}

/** The additions of a step to an overlay. */
export type AddedState = Partial<Pick<Overlay, "desired" | "stated" | "fields" | "present" | "refusals">>;

/** For a step that runs whatever the base is. */
export const everyBase = { nothing: true, source: true, existing: true } as const;
