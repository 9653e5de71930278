import { type Fields, isFields, own, textIn } from "../json.ts";
import { nameKey } from "../names.ts";
import { markIn } from "./expiry-mark.ts";

/** The key of the variable that says that a run has made a resource as a clone. */
export const cloneKey = "INFRASYNC_CLONE_OF";

const member = "variables";

/**
 * Whether the fields of a resource say that a run has made it as a clone: by this variable, or by the one that says when
 * its life ends. A clone has the variables of its source, so the name in them counts.
 */
export function isMarkedClone(fields: Fields, name: string): boolean {
  const entries = own(fields, member);
  const entry = isFields(entries) ? own(entries, cloneKey) : undefined;
  const description = isFields(entry) ? textIn(entry, "description") : undefined;
  const marked = description?.startsWith(prefix) ? description.slice(prefix.length) : markIn(fields)?.name;
  return marked !== undefined && nameKey(marked) === nameKey(name);
}

/** Stated fields that say so too. @param source the reference to the source */
export function withCloneMark(stated: Fields, source: string, name: string): Fields {
  const entries = own(stated, member);
  const entry = { value: source, description: prefix + name };
  return { ...stated, [member]: { ...(isFields(entries) && entries), [cloneKey]: entry } };
}

const prefix = "clone: ";
