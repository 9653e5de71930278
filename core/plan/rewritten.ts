import type { Desired } from "../manifest/desired.ts";
import { compare } from "../fields/compare.ts";
import { overlay } from "../fields/overlay.ts";
import { unstatedDifferences } from "../fields/strict.ts";
import type { Fields } from "../json.ts";
import { withoutParts } from "../parts/index.ts";
import { mayBeRewritten } from "../names.ts";
import { escapeControl, shorten } from "../text.ts";
import type { Expected, ExpectedContents } from "./expected.ts";
import type { Inventory } from "./inventory.ts";
import type { Planning } from "./planning.ts";

/**
 * The sibling that an earlier run has created from a document, if the server changes the spelling of names: no document
 * describes it, it has the wanted fields, and its name differs only in case, spaces and punctuation.
 *
 * @param fields the wanted fields in manifest form, references looked up
 */
function madeUnderAnotherName(
  inventory: Inventory,
  { address: { kind }, name, cloneFrom }: Desired,
  fields: Fields,
  siblings: ExpectedContents,
): Expected | undefined {
  const own = withoutParts(kind, fields);
  return siblings.all.find(
    ({ kind: itsKind, name: itsName, id, fields: live }) =>
      itsKind === kind &&
      id !== undefined &&
      mayBeRewritten(name, itsName) &&
      inventory.byId.get(id)?.documents.length === 0 &&
      compare(kind.fields, live, overlay(kind.fields, live, own)).length === 0 &&
      // Fields that no document states have the values of a creation, or of the source of a clone.
      (cloneFrom !== undefined || unstatedDifferences(kind.fields, own, live).length === 0),
  );
}

/**
 * Refuses to create a resource that exists under another spelling of its name: every run would create another one.
 * @throws Unplannable
 */
export function refuseAnotherName(
  { inventory, findings }: Planning,
  desired: Desired,
  fields: Fields,
  siblings: ExpectedContents,
): void {
  const sibling = madeUnderAnotherName(inventory, desired, fields, siblings);
  if (!sibling) return;
  const other = shorten(escapeControl(`"${sibling.name}" (${sibling.id})`), 200);
  findings.reject(
    "rewritten_name",
    desired,
    ["name"],
    `the resource does not exist, but ${other} does, with the same fields: the server seems to change the spelling of names`,
    `give the document the name "${sibling.name}", or set manage.id to ${sibling.id}`,
  );
}
