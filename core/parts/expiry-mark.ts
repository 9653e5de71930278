import { type Fields, isFields, own, textIn } from "../json.ts";

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

/** The key of the variable. */
export const expiryKey = "INFRASYNC_EXPIRES_AT";

/** The mark among the fields of a resource; undefined if it has none, or one that nobody can read. */
export function markIn(fields: Fields): ExpiryMark | undefined {
  const entries = own(fields, member);
  const entry = isFields(entries) ? own(entries, expiryKey) : undefined;
  if (!isFields(entry)) return undefined;
  const [, lifetime, name] = /^expires_after (\S+): (.+)$/.exec(textIn(entry, "description") ?? "") ?? [];
  const value = textIn(entry, "value") ?? "";
  return lifetime === undefined || name === undefined || Number.isNaN(Date.parse(value))
    ? undefined
    : { value, lifetime, name };
}

/** Stated fields that state a mark too. */
export function withMark(stated: Fields, { value, lifetime, name }: ExpiryMark): Fields {
  const entries = own(stated, member);
  const entry = { value, description: `expires_after ${lifetime}: ${name}` };
  return { ...stated, [member]: { ...(isFields(entries) && entries), [expiryKey]: entry } };
}

/** The member of a document in which the mark stands. */
export const markMember: string = member;
