import type { Fields } from "../json.ts";
import type { Kind } from "../kinds/index.ts";
import type { Position } from "../problem.ts";

/** How the tool treats a resource; never sent. */
export interface Manage {
  /** Never delete or replace it; on an environment also nothing that is in it. */
  protect?: boolean;
  /** Environments only: services that no document describes may be pruned. */
  prune?: boolean;
  /** Fields left to others after creation, as paths: `schedule.cronjob.timezone`. */
  ignore?: string[];
  /** Members of which the document is to be all that there is: what it does not state is removed. */
  exclusive?: string[];
  /** The name that the resource has had: rename it instead of making a new one. */
  renamed_from?: string;
  /** The id of the live resource that is meant. */
  id?: string;
}

/** What a manifest document says. */
export interface Manifest {
  kind: Kind;
  name: string;
  /** The reference to the parent as it stands there: `shop/staging`; undefined where the organization is the parent. */
  parent: string | undefined;
  /** The fields that it states; null resets one. */
  fields: Fields;
  manage: Manage;
  /** `from`: the reference to the source, of the same kind. */
  clone: { from: string } | undefined;
  /** `$remove: true`: takes away what documents of earlier sources say of the resource. */
  removes?: true;
}

/** Something that is said in a file. */
export interface Placed {
  /**
   * Where a member stands: its value when that is a text, a number or the like, else its key; where it is absent, the
   * nearest member above it. `["schedule", "cronjob"]`; [] is the document.
   */
  position(path: readonly (string | number)[]): Position;
}

/** A manifest document that its schema accepts. */
export interface ManifestDocument extends Manifest, Placed {}

/** What a document of the kind `Defaults` says: fields for all resources inside a project or an environment. */
export interface Defaults {
  /** The project or environment. */
  scope: { kind: Kind; reference: string };
  /** Undefined: resources of every kind, each as far as it has the fields. */
  for: Kind | undefined;
  fields: Fields;
  manage: Manage;
}

/** A document of defaults that its schema accepts. */
export interface DefaultsDocument extends Defaults, Placed {}
