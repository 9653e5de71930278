import type { Fields } from "../../values/json.ts";
import type { Kind } from "../../model/kinds/index.ts";
import type { Position } from "../../problems/problem.ts";

/** Options for the treatment of a resource by infrasync; never sent. */
export interface Manage {
  /** Never delete or replace it; on an environment also nothing that is in it. */
  protect?: boolean;
  /**
   * Environments only: services that no document describes may be pruned. `false` forbids all that a prune deletes in the
   * resource, also what its source has lost or what ends by itself. Of the organization and of projects: the kinds of which
   * resources that no document describes may be pruned.
   */
  prune?: boolean | readonly string[];
  /** Fields left to others after creation, as paths: `schedule.cronjob.timezone`. */
  ignore?: string[];
  /** Members that the document lists completely: a prune removes entries that it does not state. */
  exclusive?: string[];
  /** The former name of the resource: rename it instead of creating a new one. */
  renamed_from?: string;
  /** The id of the live resource that the document describes. */
  id?: string;
  /** Names of live resources that look like this one under another name, and are not meant. */
  beside?: readonly string[];
  /** When a service is changed and deployed among those of its environment: those with a lower number first; of a stage: its services. */
  wave?: number;
  /** The consent to one replacement of the resource, as a plan has printed it. */
  consent?: string;
}

/** The content of a manifest document. */
export interface Manifest {
  kind: Kind;
  name: string;
  /**
   * The reference to the parent as the document writes it: `shop/staging`; undefined where the organization is the
   * parent.
   */
  parent: string | undefined;
  /** The fields that it states; null resets one. */
  fields: Fields;
  manage: Manage;
  /** The source of a clone, and options for making it; never sent. */
  clone:
    | {
        /** The reference to the source, of the same kind. */
        from: string;
        /** The clone keeps to its source also after it has been made. */
        /** Environments only: for how long the clone may exist, such as `3d`. */
      }
    | undefined;
  /** `$remove: true`: removes the documents of the resource in earlier sources. */
  removes?: true;
}

/** Content that has positions in a file. */
export interface PositionedContent {
  /**
   * The position of a member: that of its value if the value is a text, a number or the like, else that of its key; for
   * an absent member, that of its nearest ancestor. `["schedule", "cronjob"]`; [] is the document.
   */
  position(path: readonly (string | number)[]): Position;
}

/** A manifest document that its schema accepts. */
export interface ManifestDocument extends Manifest, PositionedContent {
  /** The name of the template that it is made from, which makes others too. */
  template?: string;
}

/** The content of a document of the kind `Defaults`: fields for all resources inside a project or an environment. */
export interface Defaults {
  /** The project or environment. */
  scope: { kind: Kind; reference: string };
  /** Undefined means resources of every kind that has the fields. */
  for: Kind | undefined;
  fields: Fields;
  manage: Manage;
}

/** A document of defaults that its schema accepts. */
export interface DefaultsDocument extends Defaults, PositionedContent {}
