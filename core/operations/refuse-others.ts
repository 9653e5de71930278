import { article } from "../values/text.ts";
import { type FieldChange, formatPath } from "../model/fields/compare.ts";
import { lessIn } from "../model/fields/reductions.ts";
import { type Fields, sameJson } from "../values/json.ts";
import type { Kind } from "../model/kinds/index.ts";
import { contentOf, type PartEntry, shareList, type DeclaredPart } from "../model/parts/index.ts";
import type { Remedy } from "../problems/remedy.ts";
import { OperationError, outdated } from "./errors.ts";

/** A part as the plan saw it. */
export interface PlannedPart {
  path: readonly string[];
  /** A hash of the time at which it was last written, or of its value. */
  content: string;
}

/** Refuses to overwrite or remove parts that are not those that the plan saw. @throws OperationError `changed` */
export function refuseOtherParts(
  { kind, id }: { kind: Kind; id: string },
  entries: readonly PartEntry[],
  parts: readonly DeclaredPart[],
  needed: readonly FieldChange[],
  seen: readonly PlannedPart[],
  approved: readonly FieldChange[] | undefined,
): void {
  const own = entries.filter(({ isOwn }) => isOwn);
  const remedies: Remedy[] = approved ? [{ again: "plan" }] : [];
  const others = needed.flatMap(({ path: [member, key = ""], before, after }) => {
    const part = parts.find((each) => each.member === member);
    const entry = own.find((each) => each.key === key && part && shareList(each.part, part));
    if (!part || !entry) return [];
    // The plan may remove the other one itself, so that a variable becomes a secret.
    const makesRoom = needed.some(
      (each) => each.path[0] === entry.part.member && each.path[1] === key && each.after === undefined,
    );
    if (before === undefined && entry.part.member !== part.member) {
      if (makesRoom) return [];
      const { name: as, member: under = "" } = entry.part;
      if (!approved)
        remedies.push({ declare: "sort", key, as, under, becomes: part.name, member: part.member });
      return [`${key} is ${article(as)} now, and the ${part.name} would overwrite it`];
    }
    const planned = seen.find(({ path }) => path[0] === member && path[1] === key);
    const isOther = after === undefined && planned && contentOf(entry, id).content !== planned.content;
    return isOther ? [`the ${part.name} ${key} has been written since`] : [];
  });
  if (others.length === 0) return;
  const message = `the ${kind.name} has changed meanwhile: ${others.join("; ")}`;
  throw new OperationError("changed", message, { remedies });
}

/** Refuses changes that were not planned. @throws OperationError `changed` */
export function refuseOthers(
  { kind }: { kind: Kind },
  needed: readonly FieldChange[],
  planned: readonly FieldChange[],
): void {
  const isPlanned = (change: FieldChange): boolean =>
    planned.some(
      ({ path, before, after }) =>
        sameJson(path, change.path) && sameJson(after, change.after) && sameJson(before, change.before),
    );
  const others = needed.filter((change) => !isPlanned(change));
  if (others.length === 0) return;
  throw outdated(
    "changed",
    `the ${kind.name} has changed meanwhile, in ${others.map(({ path }) => formatPath(path)).join(", ")}`,
  );
}

/** Refuses a replacing request that lacks what the plan saw: the reading may be incomplete. @throws OperationError `changed` */
export function refuseLess(
  { kind }: { kind: Kind },
  what: string,
  planned: Fields | undefined,
  desired: Fields,
): void {
  const missing = planned ? lessIn(kind.fields, planned, desired) : [];
  if (missing.length === 0) return;
  throw outdated(
    "changed",
    `nothing was sent: a new read of ${what} lacks values that the plan saw, in ${missing.map(formatPath).join(", ")}, and the request would delete these values`,
  );
}
