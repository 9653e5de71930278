import type { Fields } from "../../core/json.ts";
import type { Kind } from "../../core/kinds/index.ts";
import { endAt, expiryKey, markMember, withMark } from "../../core/parts/index.ts";
import { durationOf } from "../../core/schema/duration.ts";
import type { StatedInputs } from "./inputs.ts";
import type { RememberedInputs } from "./outputs.ts";
import { hasUnknown } from "./unknown.ts";

/** The mistake in a limit for these inputs; undefined if there is none. */
export function expiryMistake(
  { deletion }: Kind,
  { expiresAfter, cloneFrom, fields }: StatedInputs,
): string | undefined {
  if (expiresAfter === undefined || hasUnknown(fields)) return undefined;
  if (cloneFrom === undefined)
    return "expiresAfter: only a clone ends by itself; state cloneFrom, or leave it out";
  const reason = deletion?.neverByItself?.(fields);
  return reason === undefined ? undefined : `expiresAfter: ${reason}; state another mode, or leave it out`;
}

/** When a new clone ends, if its program says so. @param now milliseconds since 1970 */
export function endOf({ expiresAfter }: StatedInputs, now: number): string | undefined {
  return expiresAfter === undefined ? undefined : endAt(now + (durationOf(expiresAfter) ?? 0));
}

/**
 * When a clone ends with what its program states now: another limit moves the end by the difference. What this program
 * has not made as a clone has no end.
 *
 * @param now counts where the program has stated no limit before
 */
export function movedEnd(memory: RememberedInputs, stated: StatedInputs, now: number): string | undefined {
  const { expiresAfter: before, expiresAt, cloneFrom } = memory;
  if (cloneFrom === undefined || memory.adopt) return undefined;
  if (before === undefined || expiresAt === undefined) return endOf(stated, now);
  return endOf(stated, Date.parse(expiresAt) - (durationOf(before) ?? 0));
}

/** Fields with the variable that says when a resource ends; without an end, one that an earlier run has written is removed. */
export function withEnd(
  fields: Fields,
  { name, expiresAfter = "" }: StatedInputs,
  end: string | undefined,
  before?: string,
): Fields {
  if (end !== undefined) return withMark(fields, { value: end, lifetime: expiresAfter, name });
  if (before === undefined) return fields;
  const entries = fields[markMember];
  return { ...fields, [markMember]: { ...(entries as Fields | undefined), [expiryKey]: null } };
}

/** A warning of a clone whose time is over; undefined if it is not. */
export function endedWarning(
  { name }: Kind,
  { expiresAt }: RememberedInputs,
  stated: StatedInputs,
  now: number,
): string | undefined {
  if (expiresAt === undefined || stated.expiresAfter === undefined || Date.parse(expiresAt) > now)
    return undefined;
  return `the ${name} "${stated.name}" was to end at ${expiresAt} (expiresAfter): run \`pulumi destroy\`, or raise expiresAfter`;
}
