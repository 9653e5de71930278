import type { AnyAddress } from "./addresses/address.ts";
import { formatPath } from "./fields/compare.ts";
import { field, type Message, say, textOf } from "../problems/say.ts";

/**
 * `resource`: with its contents. `part`: a variable, a secret, a domain. `data`: all data of a field, such as a volume. `size`: a part of such data. `version`: data that a lower version may not read. `value`: a secret in a field. `overwritten`: a value that another one replaces.
 */
export const lossSorts = ["resource", "part", "data", "size", "version", "value", "overwritten"] as const;

/** Something that a plan makes unreadable, smaller, or deletes. */
export interface Loss {
  sort: (typeof lossSorts)[number];
  /** `variable`, `custom domain`, `volume`, or the type of a service. */
  what: string;
  /** Its key, or its name within the action's resource: `KEY`, `staging/api`. Empty: that resource. */
  name: string;
  /** The resource that has it, by its name within the action's resource; absent: the action's resource. */
  of?: string | undefined;
  /** Its size or its change: `20 GB`, `50 GB -> 10 GB`. */
  extent?: string | undefined;
  /** A hash of the lost thing, if it can change under the same name: a consent ends with the hash. */
  content?: string | undefined;
  /** The address of a resource, with its planned names. */
  address?: AnyAddress | undefined;
  /** The live address of a resource, if it differs. */
  liveAddress?: AnyAddress | undefined;
  /** The id of a resource; absent for its parts and fields. */
  id?: string | undefined;
  /** The owner of a lost part; absent for a resource. */
  owner?: LossSubject | undefined;
  /** The path of the causing change. */
  path?: string[] | undefined;
  /** Whether an action of the plan creates it again. */
  recreated: boolean;
  /** Whether the server's present data suffices to restore it. Data and secrets cannot be restored. */
  restorable: boolean;
}

/** A live resource, by its id and both addresses. */
export interface LossSubject {
  id: string;
  address: AnyAddress;
  liveAddress?: AnyAddress | undefined;
}

/** The loss of a value in a field: data, secrets. @param how whether it can be restored; default: it cannot */
export function lossOfField(
  { sort, what, key, extent }: Pick<Loss, "sort" | "what" | "extent"> & { key: string },
  owner: LossSubject,
  how: Partial<Pick<Loss, "name" | "of" | "recreated" | "path" | "restorable">>,
): Loss {
  return {
    sort,
    what,
    name: key,
    extent,
    owner,
    path: undefined,
    recreated: false,
    restorable: false,
    ...how,
  };
}

/** The lost resource, or the owner of the lost part. */
export function subjectOf({ id, address, liveAddress, owner }: Loss): LossSubject | undefined {
  if (owner) return owner;
  if (id === undefined || !address) return undefined;
  return { id, address, liveAddress };
}

/** Whether it cannot be restored, and the plan does not create it again. */
export function isForGood({ recreated, restorable }: Loss): boolean {
  return !recreated && !restorable;
}

/** Whether something ceases to exist: not a replaced value that can be written again. */
export function ceases({ sort, restorable }: Loss): boolean {
  return sort !== "overwritten" || !restorable;
}

/** Whether an update needs a consent to this permanent loss, unless the document removes or replaces the value. */
export function needsConsent(loss: Loss): boolean {
  const { sort } = loss;
  return isForGood(loss) && (sort === "data" || sort === "size" || sort === "version" || sort === "value");
}

/** `the variable KEY`, `its data (20 GB)`. @param article for a loss of which the action's resource has only one */
export function wordsFor(loss: LossWords, article: "its" | "the" = "its"): string {
  return textOf(sayLoss(loss, article));
}

/** The members of a loss for its words. */
type LossWords = Pick<Loss, "sort" | "what" | "name" | "of" | "extent" | "path">;

/** The words as data: a loss may be named by its field. */
export function sayLoss(
  { sort, what, name, of, extent, path = [] }: LossWords,
  article: "its" | "the" = "its",
): Message {
  const named = name === formatPath(path) ? field(path) : name;
  const ofResource = of === undefined ? "" : ` of ${of}`;
  const whole =
    name === ""
      ? say`${of === undefined ? article : "the"} ${what}${ofResource}`
      : what === "data"
        ? say`the data of ${named}${ofResource}`
        : say`the ${what} ${named}${ofResource}`;
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
