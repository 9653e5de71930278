import type { Desired } from "../manifest/desired.ts";
import type { Fields } from "../json.ts";
import { mayBeRewritten } from "../names.ts";
import { isAsCreated, respelled } from "../rules/spelling.ts";
import { escapeControl, shorten } from "../text.ts";
import type { ExpectedContents } from "./expected.ts";
import type { Planning } from "./planning.ts";

/**
 * Refuses to create a resource that an earlier run has created, if the server changes the spelling of names: a sibling
 * that no document describes has the wanted fields, and its name differs only in case, spaces and punctuation.
 *
 * @param fields the wanted fields in manifest form, references looked up
 * @throws Unplannable
 */
export function refuseAnotherName(
  { inventory, findings }: Planning,
  desired: Desired,
  fields: Fields,
  siblings: ExpectedContents,
): void {
  const { address, name, cloneFrom } = desired;
  const wanted = { kind: address.kind, fields, isClone: cloneFrom !== undefined };
  for (const { kind, name: liveName, id, fields: live } of siblings.all) {
    if (kind !== wanted.kind || id === undefined || !mayBeRewritten(name, liveName)) continue;
    if (inventory.byId.get(id)?.documents.length !== 0 || !isAsCreated(wanted, live)) continue;
    findings.reject("rewritten_name", desired, ["name"], respelled({ name: liveName, id }), {
      remedies: [{ liveName: shorten(escapeControl(liveName), 100), id }],
    });
  }
}
