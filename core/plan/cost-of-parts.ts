import { compare, type FieldChange } from "../fields/compare.ts";
import { type Fields, isFields, own } from "../json.ts";
import type { Kind } from "../kinds/index.ts";
import {
  type Part,
  type PartChange,
  type PartEntry,
  type PartForm,
  type PartNeed,
  type StatedPart,
  statedParts,
} from "../parts/index.ts";

/** The requests that write the parts of a new resource with these fields. */
export function costOfNewParts(kind: Kind, fields: Fields): number {
  return statedParts(kind).reduce((sum, part) => {
    const entries = own(fields, part.member);
    if (!isFields(entries)) return sum;
    // What is as in any new resource needs no request.
    const different = compare(kind.fields, {}, { [part.member]: entries });
    const keys = new Set(different.map(({ path: [, key = ""] }) => key));
    const changes = [...keys].map((key) => ({ key, wanted: own(entries, key) }));
    return sum + requestsFor(part, changes) + (hasNeeds(part, changes) ? 1 : 0);
  }, 0);
}

/** Whether a part refers to another: that one has an id only after it has been listed. */
function hasNeeds({ form }: StatedPart, writing: readonly PartChange[]): boolean {
  return writing.some((change) => needsOf(form, change).length > 0);
}

/**
 * The requests that change parts of an existing resource: one that lists them, the writes, a list of what has been
 * created if another part refers to it, and a list that shows that what was removed is gone.
 *
 * @param copied what is stated of a copy: its parts are listed even if none is to be changed
 */
export function costOfPartChanges(
  kind: Kind,
  changes: readonly FieldChange[],
  expected: Fields,
  copied: Fields = {},
): number {
  return statedParts(kind).reduce((sum, part) => {
    const ofPart = changes.filter(({ path: [member] }) => member === part.member);
    if (ofPart.length === 0) return sum + (isStated(copied, part) ? 1 : 0);
    const entries = own(expected, part.member);
    const wantedOf = (key: string) => (isFields(entries) ? own(entries, key) : undefined);
    const keys = new Set(ofPart.map(({ path: [, key = ""] }) => key));
    const writing = [...keys].map((key) => ({ key, wanted: wantedOf(key) }));
    // One request replaces all entries that are always there.
    if (part.form.isPermanent) return sum + 1 + requestsFor(part, writing);
    const present = new Set(
      ofPart.flatMap(({ path: [, key = ""], before }) => (before === undefined ? [] : [key])),
    );
    // A present entry that becomes one of another sort gains and loses members.
    const added = new Set(
      ofPart.flatMap(({ path: [, key = "", ...inside] }) =>
        inside.length === 0 && !present.has(key) ? [key] : [],
      ),
    );
    const making = [...added].map((key) => ({ key, wanted: wantedOf(key) }));
    const removes = part.form.isWhole !== true && writing.some(({ wanted }) => wanted === undefined);
    const lists = 1 + (hasNeeds(part, writing) ? 1 : 0) + (removes ? 1 : 0);
    return sum + lists + requestsFor(part, making) + (keys.size - added.size);
  }, 0);
}

function isStated(fields: Fields, { member }: StatedPart): boolean {
  const entries = own(fields, member);
  return isFields(entries) && Object.keys(entries).length > 0;
}

function needsOf(form: PartForm, { key, wanted }: PartChange): readonly PartNeed[] {
  return isFields(wanted) ? form.needs(wanted, key) : [];
}

/** How many requests create new entries when everything that they refer to exists. */
function requestsFor(part: Part, making: readonly PartChange[]): number {
  const { form } = part;
  if (!form) return 0;
  const needed = making.flatMap((change) => needsOf(form, change));
  const listed = needed.map(({ key }): PartEntry => {
    const response = { id: "id", key };
    return { part, key, isOwn: false, isReadable: true, response };
  });
  let left = [...making];
  let count = 0;
  while (left.length > 0) {
    const request = form.nextRequest("id", left, listed, "parent");
    if (!request) return count + left.length;
    count += 1;
    left = left.filter(({ key }) => !request.keys.includes(key));
  }
  return count;
}
