import type { AnyAddress } from "./addresses/address.ts";
import { formatPath } from "./fields/compare.ts";
import { field, type Message, say, textOf } from "../problems/say.ts";

/**
 * The sorts of losses. `resource`: with everything that is in it. `part`: a variable, a secret, a domain. `data`: all data
 * of a field, such as a volume. `size`: a part of such data. `version`: data that a lower version may not read. `value`: a
 * secret that a field has. `overwritten`: a value that another one replaces.
 */
export const lossSorts = ["resource", "part", "data", "size", "version", "value", "overwritten"] as const;

/** Something that becomes unreadable, smaller or gone when a plan is carried out. */
export interface Loss {
  sort: (typeof lossSorts)[number];
  /** `variable`, `custom domain`, `volume`, or the type of a service. */
  what: string;
  /** Its key or name, seen from the resource of the action: `KEY`, `api: KEY`, `staging/api`. Empty: that resource's own. */
  name: string;
  /** How much there is, or how it changes: `20 GB`, `50 GB -> 10 GB`. */
  extent?: string | undefined;
  /** A hash of the lost thing, if it can change under the same name: a consent ends with the hash. */
  content?: string | undefined;
  /** The address of a resource, with the names that the plan gives. */
  address?: AnyAddress | undefined;
  /** The present address of a resource, if it differs. */
  liveAddress?: AnyAddress | undefined;
  /** The id of a resource; absent for anything that a resource has. */
  id?: string | undefined;
  /** The resource that has the lost part; absent for a resource. `liveAddress`: its present address, if it differs. */
  owner?: LossSubject | undefined;
  /** The path of the change of the action that takes it. */
  path?: string[] | undefined;
  /** Whether an action of the plan creates it again. */
  described: boolean;
  /** Whether somebody could restore the lost thing from the data that the server shows now. Nobody can restore data and secrets. */
  restorable: boolean;
}

/** A live resource, by its id and both addresses. */
export interface LossSubject {
  id: string;
  address: AnyAddress;
  liveAddress?: AnyAddress | undefined;
}

/** The loss of what a field has: data, a part of it, a secret, a value. @param how whether somebody can restore it; default: nobody */
export function lossOfField(
  { sort, what, key, extent }: Pick<Loss, "sort" | "what" | "extent"> & { key: string },
  owner: LossSubject,
  { name = key, ...how }: Partial<Pick<Loss, "name" | "described" | "path" | "restorable">>,
): Loss {
  return { sort, what, name, extent, owner, path: undefined, described: false, restorable: false, ...how };
}

/** The resource that a loss concerns: itself, or the one that it belongs to. */
export function subjectOf({ id, address, liveAddress, owner }: Loss): LossSubject | undefined {
  if (owner) return owner;
  if (id === undefined || !address) return undefined;
  return { id, address, liveAddress };
}

/** Whether nobody can bring it back, and the plan does not either. */
export function isForGood({ described, restorable }: Loss): boolean {
  return !described && !restorable;
}

/** Whether something ceases to exist: a value that another one replaces, and that somebody could write again, does not. */
export function ceases({ sort, restorable }: Loss): boolean {
  return sort !== "overwritten" || !restorable;
}

/**
 * Whether an update needs a consent to just this loss: nobody can bring it back, and the document neither removes it by its
 * name nor states another value.
 */
export function needsConsent(loss: Loss): boolean {
  const { sort } = loss;
  return isForGood(loss) && (sort === "data" || sort === "size" || sort === "version" || sort === "value");
}

/**
 * A loss in words: `the variable KEY`, `the volume /data (50 GiB)`, `its data (20 GB)`.
 *
 * @param article of what the resource of the action has one of
 */
export function wordsFor(loss: LossWords, article: "its" | "the" = "its"): string {
  return textOf(sayLoss(loss, article));
}

/** What words about a loss need of it. */
type LossWords = Pick<Loss, "sort" | "what" | "name" | "extent" | "path">;

/** The same as data: a loss may be named by its field. */
export function sayLoss(
  { sort, what, name, extent, path = [] }: LossWords,
  article: "its" | "the" = "its",
): Message {
  const named = name === formatPath(path) ? field(path) : name;
  const whole =
    name === ""
      ? say`${article} ${what}`
      : what === "data"
        ? say`the data of ${named}`
        : say`the ${what} ${named}`;
  const amount = extent === undefined ? "" : ` (${extent})`;
  switch (sort) {
    case "size":
      return say`part of ${whole}${amount}`;
    case "version":
      return say`${whole}, if the lower version cannot read it${amount}`;
    case "overwritten":
      return say`the former value of ${whole}${amount}`;
    case "resource":
    case "part":
    case "data":
    case "value":
      return say`${whole}${amount}`;
    default:
      return sort satisfies never;
  }
}
