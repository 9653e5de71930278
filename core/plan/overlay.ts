import type { FieldChange } from "../fields/compare.ts";
import type { Fields } from "../json.ts";
import type { PlannedChange } from "../kinds/index.ts";
import type { Desired } from "../manifest/desired.ts";
import type { MayComeWith } from "./action.ts";
import type { Parent } from "./expectations.ts";
import type { Expected } from "./expected.ts";
import type { Refusal } from "./findings.ts";
import type { Planning } from "./planning.ts";

/**
 * What a document is laid over: nothing, the source of a clone, or the resource that exists already or that another action
 * of the plan brings.
 */
export const bases = ["nothing", "source", "existing"] as const;

export type Base = (typeof bases)[number];

/** A document that is laid over a base. Each step of planning returns what it adds, and changes none of this. */
export interface Overlay {
  readonly on: Base;
  /** The source or the existing resource. */
  readonly base: Expected | undefined;
  readonly parent: Parent;
  /** The document as it is. */
  readonly given: Desired;
  /** The document with what follows from it. */
  readonly desired: Desired;
  /** What is laid over the base. */
  readonly stated: Fields;
  /** The fields of the base. Of a source: those that a copy has. */
  readonly fields: Fields;
  /** The clone of an earlier run that may still create the resource. */
  readonly coming: MayComeWith | undefined;
  readonly refusals: readonly Refusal[];
}

/** An overlay and how its result differs from its base. */
export interface Comparison extends Overlay {
  readonly how: PlannedChange["how"];
  /** The fields of the base, in the words of the document. */
  readonly present: Fields | undefined;
  /** The fields of the result. */
  readonly wanted: Fields;
  /** From present to wanted; the name is among them if it differs. */
  readonly changes: readonly FieldChange[];
  /** Why an update cannot make the changes. */
  readonly reasons: readonly string[];
}

/** What a step adds to an overlay. */
export type State = Partial<Pick<Overlay, "desired" | "stated" | "fields" | "refusals">>;

/** A step of the planning of a resource; throws Unplannable while something has to be read first. */
interface Step<Arguments extends unknown[], Result> {
  /** For each base, whether the step runs, or why it does not. */
  on: Readonly<Record<Base, true | string>>;
  run(planning: Planning, ...given: Arguments): Result;
}

/** For a step that runs whatever the base is. */
export const everyBase = { nothing: true, source: true, existing: true } as const;

/** Something that cuts across kinds, with the steps that it takes in the planning of each resource. */
export interface Concern {
  name: string;
  /** Adds to what is laid over the base. */
  state?: Step<[Overlay], State>;
  /** Adds to the changes, or to what they say. */
  compare?: Step<[Overlay & Pick<Comparison, "wanted">, readonly FieldChange[]], readonly FieldChange[]>;
  /** Finds what is wrong. Every concern is asked, whatever others have found. */
  refuse?: Step<[Comparison], readonly Refusal[]>;
  /** Tells a reader of the plan what leads to no action. */
  note?: Step<[Comparison], void>;
}

/** The state of an overlay whose document says more. */
export function asDocument(desired: Desired): State {
  return { desired, stated: desired.stated };
}
