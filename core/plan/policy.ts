import type { Address, AnyAddress } from "../address.ts";
import type { Pattern } from "../pattern.ts";
import type { PlanPolicy } from "../policies/index.ts";
import type { SecretChoice } from "../secret-choice.ts";

/**
 * How much a run may delete or replace: resources, and what it takes from resources that stay, such as variables. The
 * parts of a resource that is itself deleted or replaced belong to it, and do not count.
 */
export interface DeletionCaps {
  /** The most of the whole run. */
  count: number;
  /** The largest share of the services of an environment with ten or more, in percent. */
  percent: number;
}

/** The limits of a plan: its allowed actions, and their resources. */
export interface Policy {
  /** The targets that a person has stated: only these resources and their dependencies are planned; empty: all. */
  targets: readonly Pattern[];
  /** Only documents of these addresses, as a front end divides them; absent: all. */
  scope?(address: AnyAddress): boolean;
  /** Resources of documents beside those of the run, which are not undescribed; absent: none. */
  elsewhere?: readonly Pattern[];
  /** Delete undescribed resources, where the document of the environment allows it. */
  prune: boolean;
  /** The resources that a prune leaves alone, chosen by a front end; absent: none. */
  spares?(address: AnyAddress): boolean;
  /** The resources that may be replaced, and whose contents a prune may delete. */
  allowReplace: readonly Pattern[];
  /**
   * The names of the resources that may be written although they cost money or take down what runs on them; absent: none
   * may, whatever else allows it.
   */
  infrastructure?: readonly string[];
  /** The name or the id of the token of the API that the run uses; absent: nobody has said. */
  ownToken?: string;
  /** The resources that are never deleted or replaced, whatever the documents say. */
  protect: readonly Pattern[];
  /** Patterns of `protect` that the settings lift with this run: the plan is refused if they keep a resource from a prune. */
  lifted?: readonly Pattern[];
  /** The policies of a team: forbidden, mentioned or approvable changes; absent: none. */
  policies?: readonly PlanPolicy[];
  caps: DeletionCaps;
  /** The id by which an earlier run knew the resource of an address; absent: nobody remembers. */
  remembered?(address: Address): string | undefined;
  /** Which stated secrets are written again, although nobody can compare their values. */
  rotate: readonly SecretChoice[];
  /** Also mention fields that are not stated and differ from their default. */
  strict: boolean;
  /**
   * Also deploy the services that the plan creates or changes, and described services of which an older version runs.
   */
  deploy?: boolean;
  /**
   * Leave services whose last deployment failed, until something about them changes: whoever plans again and again would
   * deploy them again and again.
   */
  leaveFailed?: boolean;
}

/** Settings that hold when a plan is applied, whatever held when it was made. */
export type PolicyInForce = Pick<Policy, "protect" | "policies" | "caps" | "ownToken">;

/** Ten resources in a run, and 30 % of the services of an environment. */
export const defaultCaps: DeletionCaps = { count: 10, percent: 30 };

/** A policy that consents to nothing: no deletion without a document, no replacement, the default caps. */
export const defaultPolicy: Policy = {
  targets: [],
  prune: false,
  allowReplace: [],
  protect: [],
  caps: defaultCaps,
  rotate: [],
  strict: false,
};
