import { type Address, addressKey, describeAddress, parentAddress } from "../../model/addresses/address.ts";
import { compare, type FieldChange } from "../../model/fields/compare.ts";
import { lossesIn } from "../../model/fields/losses.ts";
import { overlay } from "../../model/fields/overlay.ts";
import { type Fields, once } from "../../values/json.ts";
import type { Kind } from "../../model/kinds/index.ts";
import { type DesiredResource, parentOf } from "../../manifests/manifest/index.ts";
import { mayBeRenamed, mayBeRewritten, nameKey } from "../../model/addresses/names.ts";
import { withoutParts } from "../../model/parts/index.ts";
import { isAsCreated, respelled } from "../../rules/spelling.ts";
import { escapeControl, shorten } from "../../values/text.ts";
import { type Answer, collect, ifKnown, open } from "../plan/answer.ts";
import type { ExpectedResource, ExpectedContents } from "../plan/expected-resources.ts";
import type { Refusal } from "../plan/findings.ts";
import type { Comparison, Overlay } from "../plan/overlay.ts";
import type { Concern, Planning, UnmanagedResource } from "../plan/planning.ts";
import { protectionOf } from "./protected-by.ts";
import { resolve } from "./references.ts";
import type { Inventory } from "../plan/inventory.ts";

/** Why a live resource may be the one that a document names. */
type Likeness = "spelling" | "name" | "data" | "id" | "successor";

interface LikeResource {
  sibling: ExpectedResource;
  likeness: Likeness;
}

/** Refuses to create a resource that may exist under another name, because a prune would delete the one in use. */
function refuseRenamed(
  planning: Planning,
  { desired, parent, declared }: Pick<Comparison, "desired" | "parent" | "declared">,
): Answer<Refusal[]> {
  const siblings = planning.expectations.contentsOf(parent, desired.address.kind);
  const found = siblings === open ? open : likenesses(planning, desired, declared, siblings);
  return found === open ? open : refusalsFor(found);
}

function refusalsFor([found]: readonly LikeResource[]): Refusal[] {
  if (!found) return [];
  const { name, id = "" } = found.sibling;
  const shown = shorten(escapeControl(name), 100);
  const remedies = [{ liveName: shown, id }];
  if (found.likeness === "spelling")
    return [{ code: "rewritten_name", path: ["name"], message: respelled({ name, id }), help: { remedies } }];
  const why = {
    id: "which an earlier run managed under this name",
    name: "with the same fields",
    data: "which holds data and has a similar name",
    successor: "which holds data, has the same fixed fields, and would be deleted in the same run",
  }[found.likeness];
  return [
    {
      code: "perhaps_renamed",
      path: ["name"],
      message: `the resource does not exist, but "${shown}" (${id}) does, ${why}: it may be the same resource, renamed`,
      help: { remedies: [{ declare: "renamed", name: shown }, ...remedies] },
    },
  ];
}

/** Whether a document may mean a renamed unmanaged resource, which then stays. Reports the question. */
function mayBeMeant(planning: Planning, { target, live: { id } }: UnmanagedResource): boolean {
  const { expectations, policy } = planning;
  const parent = ifKnown(expectations.parentOf(target));
  const siblings = parent && ifKnown(expectations.contentsOf(parent, target.kind));
  const one = siblings && unmanagedIn(planning.inventory)(siblings).get(id);
  if (!one) return false;
  return (newOnes(planning).get(placeOf(target)) ?? []).some((desired) => {
    const { kind } = desired.address;
    const isKnown = policy.knownId?.(desired.address) === id;
    const mayBe = isKnown || mayBeRenamed(desired.name, one.name);
    if (!mayBe && !holdsData(kind, one.fields)) return false;
    const { declared } = ifKnown(resolve(planning, kind, desired.declared)) ?? desired;
    const all = likenesses(planning, desired, declared, siblings);
    // While reads are missing, the pass is repeated anyway.
    if (all === open) return true;
    const found = all.some(({ sibling }) => sibling === one);
    if (found) planning.findings.refuse(desired, ...refusalsFor(all));
    return found;
  });
}

function holdsData({ fields: schema }: Kind, fields: Fields): boolean {
  return lossesIn(schema, fields).some(({ sort }) => sort === "data");
}

export function placeOf(address: Address): string {
  const parent = parentAddress(address);
  return `${address.kind.slug} in ${parent ? addressKey(parent) : "the organization"}`;
}

const newOnes = once(({ resources, inventory }: Planning) => {
  const live = new Set([...inventory.byId.values()].flatMap(({ documents }) => documents));
  return Map.groupBy(
    resources.filter((desired) => !live.has(desired)),
    ({ address }) => placeOf(address),
  );
});

/** The unmanaged live resources in a parent, by id: computed once, not for each document. */
const unmanagedIn = once(({ byId }: Inventory) =>
  once(({ existing }: ExpectedContents) => {
    const found = existing.flatMap((each) => (each.id === undefined ? [] : [[each.id, each] as const]));
    return new Map(found.filter(([id]) => byId.get(id)?.documents.length === 0));
  }),
);

function likenesses(
  planning: Planning,
  desired: DesiredResource,
  fields: Fields,
  siblings: ExpectedContents,
): Answer<LikeResource[]> {
  const { policy } = planning;
  const { address, manage } = desired;
  if (desired.isNew) return [];
  const knownId = policy.knownId?.(address);
  const source = sourceIn(desired, siblings);
  return collect(
    [...unmanagedIn(planning.inventory)(siblings).values()],
    (sibling): Answer<LikeResource[]> => {
      const { kind, id, name } = sibling;
      if (kind !== address.kind || id === undefined || sibling === source || kind.comesWithParent?.(name))
        return [];
      if (manage.beside?.some((other) => nameKey(other) === nameKey(name))) return [];
      const likeness = id === knownId ? "id" : likenessOf(planning, desired, fields, sibling);
      if (likeness === open) return open;
      if (likeness !== undefined) return [{ sibling, likeness }];
      return mayBeReplaced(planning, desired, fields, sibling) ? [{ sibling, likeness: "successor" }] : [];
    },
  );
}

function likenessOf(
  { resources, expectations }: Planning,
  desired: DesiredResource,
  fields: Fields,
  sibling: ExpectedResource,
): Answer<Likeness | undefined> {
  const { address, name, cloneFrom } = desired;
  const { kind } = address;
  const isClone = cloneFrom !== undefined;
  if (!mayBeRenamed(name, sibling.name)) return undefined;
  if (mayBeRewritten(name, sibling.name) && isAsCreated({ kind, fields, isClone }, sibling.fields))
    return "spelling";
  const own = withoutParts(kind, fields);
  const { fields: live } = sibling;
  const differences = compare(kind.fields, live, overlay(kind.fields, live, own));
  // A commit may change fields of a resource that a person has renamed. If it holds data, only immutable fields tell
  // two resources apart.
  const isData = holdsData(kind, live);
  if (differences.some(({ replaces }) => !isData || replaces !== undefined)) return undefined;
  const likeness = differences.length > 0 ? "data" : "name";
  // Every new resource has the defaults, so a document that declares only defaults is compared by its contents.
  if (isClone || compare(kind.fields, {}, overlay(kind.fields, undefined, own)).length > 0) return likeness;
  for (const inside of resources.filter((each) => parentOf(each) === desired)) {
    const contents = expectations.contentsOf(sibling, inside.address.kind);
    if (contents === open) return open;
    if (contents.find(inside.address.kind, inside.name).length > 0) return likeness;
  }
  return undefined;
}

/** Whether a prune would delete a resource whose successor is declared: both hold data and agree in their immutable fields. */
function mayBeReplaced(
  planning: Planning,
  desired: DesiredResource,
  fields: Fields,
  { id = "", fields: live }: ExpectedResource,
): boolean {
  const { inventory, policy } = planning;
  const { kind } = desired.address;
  const identity = inventory.byId.get(id);
  if (!policy.prune || parentOf(desired)?.manage.prune !== true || !identity) return false;
  const own = withoutParts(kind, fields);
  if (!holdsData(kind, live) || !holdsData(kind, overlay(kind.fields, undefined, own))) return false;
  const differences = compare(kind.fields, live, overlay(kind.fields, live, own));
  const isFixed = Object.entries(kind.fields.properties ?? {}).some(
    ([member, { immutable }]) => immutable !== undefined && own[member] !== undefined,
  );
  const isSame = isFixed
    ? differences.every(({ replaces }) => replaces === undefined)
    : differences.length === 0;
  return isSame && !protectionOf(inventory, policy, identity);
}

/** The source of a clone, if it is a sibling, because clones are mostly named like their source. */
function sourceIn(
  { address, cloneFrom }: DesiredResource,
  siblings: ExpectedContents,
): ExpectedResource | undefined {
  const above = (names: readonly string[]) => names.slice(0, -1).map(nameKey).join("/");
  if (!cloneFrom || above(cloneFrom.names) !== above(address.names)) return undefined;
  return siblings.find(address.kind, cloneFrom.names.at(-1) ?? "")[0];
}

/** Warns of a misspelt old name, which would create a second resource without an error. */
function noteMissingOldName(
  { findings }: Planning,
  { desired: { address, manage }, coming }: Comparison,
): void {
  const { renamed_from: oldName } = manage;
  if (oldName === undefined || coming) return;
  const parent = parentAddress(address);
  const where = parent ? describeAddress(parent) : "the organization";
  findings.note({
    code: "not_renamed",
    message: `created, not renamed: there is no ${address.kind.name} "${oldName}" in ${where}`,
    address,
  });
}

function renaming({ desired, base }: Overlay): FieldChange[] {
  if (!base || nameKey(base.name) === nameKey(desired.name)) return [];
  const replaces = base.kind.names?.immutable;
  const change = { path: ["name"], before: base.name, after: desired.name };
  return [{ ...change, replaces }];
}

const isFound = "it has been found";
const isNew = "a new resource gets the name of its document";

export const names: Concern = {
  name: "names",
  programs: true,
  compare: {
    on: { nothing: isNew, source: isNew, existing: true },
    run: (_, document, changes) => [...renaming(document), ...changes],
  },
  refuse: { on: { nothing: true, source: true, existing: isFound }, run: refuseRenamed },
  note: { on: { nothing: true, source: true, existing: isFound }, run: noteMissingOldName },
  spare: mayBeMeant,
};
