import { type Fields, isFields, own, textIn } from "../json.ts";
import { durationOf } from "../schema/duration.ts";

/** When the life of a resource ends, as a variable of it says. */
export interface ExpiryMark {
  /** As the variable has it: `2026-11-25T10:35:00Z`. */
  value: string;
  /** The lifetime that its document stated: `3d`. */
  lifetime: string;
  /** The name of the resource for which it was written: a clone has the variables of its source. */
  name: string;
}

const member = "variables";
const minute = 60_000;

/** The key of the variable. */
export const expiryKey = "INFRASYNC_EXPIRES_AT";

/** The mark among the fields of a resource; undefined if there is no mark in the form that `withMark` writes. */
export function markIn(fields: Fields): ExpiryMark | undefined {
  const entries = own(fields, member);
  const entry = isFields(entries) ? own(entries, expiryKey) : undefined;
  if (!isFields(entry)) return undefined;
  const [, lifetime, name] = /^expires_after (\S+): (.+)$/.exec(textIn(entry, "description") ?? "") ?? [];
  const value = textIn(entry, "value") ?? "";
  if (lifetime === undefined || name === undefined) return undefined;
  return durationOf(lifetime) && endAt(Date.parse(value)) === value ? { value, lifetime, name } : undefined;
}

/** The text of an end, in whole minutes, so that it is short. @param milliseconds since 1970 */
export function endAt(milliseconds: number): string | undefined {
  if (Number.isNaN(milliseconds)) return undefined;
  return new Date(Math.ceil(milliseconds / minute) * minute).toISOString().replace(".000Z", "Z");
}

/** Stated fields that state a mark too. */
export function withMark(stated: Fields, { value, lifetime, name }: ExpiryMark): Fields {
  const entries = own(stated, member);
  const entry = { value, description: `expires_after ${lifetime}: ${name}` };
  return { ...stated, [member]: { ...(isFields(entries) && entries), [expiryKey]: entry } };
}

/** The member of a document in which the mark stands. */
export const markMember: string = member;
