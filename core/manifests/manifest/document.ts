import type { Fields } from "../../values/json.ts";
import type { Kind } from "../../model/kinds/index.ts";
import type { Position } from "../../problems/problem.ts";

/** Options for the treatment of a resource by infrasync; never sent. */
export interface Manage {
  /** Never delete or replace it; on an environment also none of its contents. */
  protect?: boolean;
  /** Whether, or which kinds of, unmanaged contents may be pruned; `false` forbids all prunes in the resource, whatever the reason. */
  prune?: boolean | readonly string[];
  /** Fields that others may change after creation, as paths: `schedule.cronjob.timezone`. */
  ignore?: string[];
  /** Members that the document lists completely: a prune removes undeclared entries. */
  exclusive?: string[];
  /** The former name of the resource: rename it instead of creating a new one. */
  renamed_from?: string;
  /** The id of the live resource. */
  id?: string;
  /** Names of similar live resources that are not meant. */
  beside?: readonly string[];
  /** The wave of a service in its environment, lower numbers first; of a stage: that of its services. */
  wave?: number;
  /** The consent to one replacement of the resource, as printed by a plan. */
  consent?: string;
}

/** The content of a manifest document. */
export interface Manifest {
  kind: Kind;
  name: string;
  /** The reference to the parent, as written: `shop/staging`; undefined: the organization is the parent. */
  parent: string | undefined;
  /** The declared fields; null resets one. */
  fields: Fields;
  manage: Manage;
  /** The reference to the source of a clone, of the same kind; never sent. */
  clone: { from: string } | undefined;
  /** `$remove: true`: removes the documents of the resource in earlier sources. */
  removes?: true;
}

/** Content that has positions in a file. */
export interface PositionedContent {
  /** The position of a value if it is a scalar, else of its key, else of the nearest ancestor; [] is the document. */
  position(path: readonly (string | number)[]): Position;
}

/** A valid manifest document. */
export interface ManifestDocument extends Manifest, PositionedContent {
  /** The name of its template, which makes others too. */
  template?: string;
}

/** A document of the kind `Defaults`: fields for all resources in a project or an environment. */
export interface Defaults {
  scope: { kind: Kind; reference: string };
  /** Undefined: every kind that has the fields. */
  for: Kind | undefined;
  fields: Fields;
  manage: Manage;
}

export interface DefaultsDocument extends Defaults, PositionedContent {}
