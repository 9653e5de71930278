import type { Desired } from "../desired.ts";
import { compare } from "../fields/compare.ts";
import { overlay } from "../fields/overlay.ts";
import { unstatedDifferences } from "../fields/strict.ts";
import type { Fields } from "../json.ts";
import { mayBeRewritten } from "../rewritten.ts";
import { escapeControl, shorten } from "../text.ts";
import type { PlanContext } from "./context.ts";
import type { Expected, ExpectedChildren } from "./expected.ts";

/**
 * The sibling that an earlier run has made of a document, where the server writes names in its own way: no document
 * means it, its fields are the wanted ones, and its name is the same but for case, spaces and punctuation.
 *
 * @param fields what is wanted, in manifest form, references looked up
 */
function madeUnderAnotherName(
  context: PlanContext,
  { address: { kind }, name, cloneFrom }: Desired,
  fields: Fields,
  siblings: ExpectedChildren,
): Expected | undefined {
  return siblings.all.find(
    ({ kind: itsKind, name: itsName, id, fields: live }) =>
      itsKind === kind &&
      id !== undefined &&
      mayBeRewritten(name, itsName) &&
      context.inventory.byId.get(id)?.documents.length === 0 &&
      compare(kind.fields, live, overlay(kind.fields, live, fields)).length === 0 &&
      // What nobody has stated is as a creation leaves it; a clone has it of its source.
      (cloneFrom !== undefined || unstatedDifferences(kind.fields, fields, live).length === 0),
  );
}

/** Reports that a resource to be made is there under another name: it would be made again with every run. */
export function isThereUnderAnotherName(
  context: PlanContext,
  desired: Desired,
  fields: Fields,
  siblings: ExpectedChildren,
): boolean {
  const sibling = madeUnderAnotherName(context, desired, fields, siblings);
  if (!sibling) return false;
  const other = shorten(escapeControl(`"${sibling.name}" (${sibling.id})`), 200);
  context.report(
    desired,
    ["name"],
    `it is not there, and ${other} is, which has the same fields: the server seems to write names in its own way`,
    `give the document the name "${sibling.name}", or set manage.id to ${sibling.id}`,
  );
  return true;
}
