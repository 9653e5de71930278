import { nameKey } from "../names.ts";
import type { Fields } from "../json.ts";
import type { Desired } from "../manifest/desired.ts";
import { type ExpiryMark, markIn, markMember, withMark } from "../parts/index.ts";
import { durationOf } from "../schema/duration.ts";
import type { Expected } from "./expected.ts";
import { takeInParts } from "./parts.ts";
import type { Planning } from "./planning.ts";

const minute = 60_000;

/**
 * A document that also states when its resource ends, if the document limits that. The end is counted from the plan that
 * makes the resource or first states the limit; a changed limit moves the end by the difference. Adds a note with the end.
 *
 * @param current undefined: the resource does not exist
 * @throws Unplannable while the present end has not been read
 */
export function withExpiry(planning: Planning, desired: Desired, current: Expected | undefined): Desired {
  const mark = markFor(planning, desired, current);
  if (!mark) return desired;
  const { findings, policy } = planning;
  findings.note({
    code: "expires",
    message: isOver(planning, mark)
      ? `was to end at ${mark.value}`
      : `ends at ${mark.value}; a run that prunes deletes it after that`,
    address: desired.address,
    ...(isOver(planning, mark) && !policy.prune && { remedies: [{ consent: "prune" }] }),
  });
  return { ...desired, stated: withMark(desired.stated, mark) };
}

/**
 * The end of a resource that may end by itself, if it is over; undefined: it is not, or the resource does not say so
 * itself.
 *
 * @throws Unplannable while that has not been read
 */
export function hasEnded(planning: Planning, desired: Desired, current: Expected): string | undefined {
  if (desired.address.kind.keptForGood?.(current.fields) !== undefined) return undefined;
  const isMarked = presentMark(planning, desired, current) !== undefined;
  const mark = isMarked ? markFor(planning, desired, current) : undefined;
  return mark && isOver(planning, mark) ? mark.value : undefined;
}

function isOver({ live }: Planning, { value }: ExpiryMark): boolean {
  return Date.parse(value) <= live.now;
}

/** When a resource ends, with what its document states now. @throws Unplannable */
function markFor(
  planning: Planning,
  desired: Desired,
  current: Expected | undefined,
): ExpiryMark | undefined {
  const { expires, name } = desired;
  if (!expires) return undefined;
  const present = current && presentMark(planning, desired, current);
  const before = present && durationOf(present.lifetime);
  if (!present || before === undefined)
    return { value: timeOf(planning.live.now + expires.milliseconds), lifetime: expires.text, name };
  const value =
    before === expires.milliseconds
      ? present.value
      : timeOf(Date.parse(present.value) - before + expires.milliseconds);
  return { value, lifetime: expires.text, name };
}

/** The mark of a resource itself: a clone of another has the mark of that one. */
function presentMark(planning: Planning, desired: Desired, current: Expected): ExpiryMark | undefined {
  takeInParts(planning, { ...desired, stated: { ...desired.stated, [markMember]: {} } }, current);
  const mark = markIn(current.fields);
  return current.live && mark && nameKey(mark.name) === nameKey(current.name) ? mark : undefined;
}

/** Reports a limit for a resource that must not end by itself. */
export function refuseExpiry({ findings }: Planning, desired: Desired, wanted: Fields): void {
  const reason = desired.expires && desired.address.kind.keptForGood?.(wanted);
  if (reason !== undefined)
    findings.reject(
      "impossible",
      desired,
      ["clone", "expires_after"],
      reason,
      "state another mode, or take expires_after out",
    );
}

/** In whole minutes, so that the text is short. */
function timeOf(milliseconds: number): string {
  return new Date(Math.ceil(milliseconds / minute) * minute).toISOString().replace(".000Z", "Z");
}
