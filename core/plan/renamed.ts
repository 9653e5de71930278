import { compare } from "../fields/compare.ts";
import { overlay } from "../fields/overlay.ts";
import type { Fields } from "../json.ts";
import { kindsInside, withoutLinks } from "../kinds/index.ts";
import type { Desired } from "../manifest/desired.ts";
import { mayBeRenamed, mayBeRewritten, nameKey } from "../names.ts";
import { withoutParts } from "../parts/index.ts";
import { isAsCreated, respelled } from "../concerns/spelling.ts";
import { escapeControl, shorten } from "../text.ts";
import type { Expected, ExpectedContents } from "./expected.ts";
import { attempt } from "./findings.ts";
import { type Planning, resolve } from "./planning.ts";

/** Why a live resource may be the one that a document names. */
type Likeness = "spelling" | "name" | "id";

/**
 * Refuses to create a resource that may exist under another name: one of that kind in the same parent, that no document
 * describes, is the one that an earlier run knew, or has the stated fields and a name like it. Creating it would make a
 * copy, and a prune would delete the one that people use.
 *
 * @param fields the wanted fields in manifest form, references looked up
 * @throws Unplannable
 */
export function refuseRenamed(
  planning: Planning,
  desired: Desired,
  fields: Fields,
  siblings: ExpectedContents,
): void {
  for (const { sibling, likeness } of likenesses(planning, desired, fields, siblings)) {
    const { name, id = "" } = sibling;
    const shown = shorten(escapeControl(name), 100);
    const remedies = [{ liveName: shown, id }];
    if (likeness === "spelling")
      planning.findings.reject("rewritten_name", desired, ["name"], respelled({ name, id }), { remedies });
    const why = likeness === "id" ? "which an earlier run knew as this one" : "with the same fields";
    planning.findings.reject(
      "perhaps_renamed",
      desired,
      ["name"],
      `the resource does not exist, but "${shown}" (${id}) does, ${why}: it may be the same one, renamed`,
      {
        advice: `if you mean a new one, state manage: { beside: [${JSON.stringify(shown)}] }; if you mean that one, rename it with manage: { renamed_from: ${JSON.stringify(shown)} }`,
        remedies,
      },
    );
  }
}

/**
 * The documents that may mean a live resource under another name, which therefore must not be deleted as one that no
 * document describes. Reports the question for each.
 *
 * @param siblings the contents of its parent
 */
export function mayBeMeant(
  planning: Planning,
  id: string,
  documents: readonly Desired[],
  siblings: ExpectedContents,
): boolean {
  const one = siblings.all.find((sibling) => sibling.id === id);
  if (!one) return false;
  return documents.some((desired) => {
    const { kind, names } = desired.address;
    if (kind !== one.kind || isLive(planning, desired, siblings)) return false;
    const known = planning.policy.remembered?.(desired.address) === id;
    if (!known && !mayBeRenamed(names.at(-1) ?? "", one.name)) return false;
    const fields = attempt(() => resolve(planning, desired, desired.stated, undefined)) ?? desired.stated;
    const found = likenesses(planning, desired, fields, siblings).some(({ sibling }) => sibling === one);
    if (found) attempt(() => refuseRenamed(planning, desired, fields, siblings));
    return found;
  });
}

function isLive({ inventory }: Planning, desired: Desired, siblings: ExpectedContents): boolean {
  return siblings.all.some(({ id = "" }) => inventory.byId.get(id)?.documents.includes(desired));
}

function likenesses(
  planning: Planning,
  desired: Desired,
  fields: Fields,
  siblings: ExpectedContents,
): { sibling: Expected; likeness: Likeness }[] {
  const { inventory, policy } = planning;
  const { address, manage } = desired;
  if (desired.isNew) return [];
  const remembered = policy.remembered?.(address);
  const source = sourceIn(desired, siblings);
  return siblings.all.flatMap((sibling) => {
    const { kind, id, name } = sibling;
    if (kind !== address.kind || id === undefined || sibling === source) return [];
    if (inventory.byId.get(id)?.documents.length !== 0 || kind.comesWithParent?.(name)) return [];
    if (manage.beside?.some((other) => nameKey(other) === nameKey(name))) return [];
    const likeness = id === remembered ? "id" : likenessOf(desired, fields, sibling);
    return likeness === undefined ? [] : [{ sibling, likeness }];
  });
}

function likenessOf(desired: Desired, fields: Fields, sibling: Expected): Likeness | undefined {
  const { address, name, cloneFrom } = desired;
  const { kind } = address;
  const isClone = cloneFrom !== undefined;
  if (!mayBeRenamed(name, sibling.name)) return undefined;
  if (mayBeRewritten(name, sibling.name) && isAsCreated({ kind, fields, isClone }, sibling.fields))
    return "spelling";
  const own = withoutLinks(kind, withoutParts(kind, fields));
  // A document that states nothing is like any resource; but a copy of one with contents is a copy of all of them.
  if (Object.keys(own).length === 0 && !isClone && kindsInside(kind).length === 0) return undefined;
  const { fields: live } = sibling;
  return compare(kind.fields, live, overlay(kind.fields, live, own)).length === 0 ? "name" : undefined;
}

/** The source of a clone, if it is a sibling: a clone is mostly named like it. */
function sourceIn({ address, cloneFrom }: Desired, siblings: ExpectedContents): Expected | undefined {
  const above = (names: readonly string[]) => names.slice(0, -1).map(nameKey).join("/");
  if (!cloneFrom || above(cloneFrom.names) !== above(address.names)) return undefined;
  return siblings.find(address.kind, cloneFrom.names.at(-1) ?? "")[0];
}
