import type { Concern, Whole } from "../plan/planning.ts";
import { type Address, describeAddress, formatAddress } from "../../model/addresses/address.ts";
import type { Fields } from "../../values/json.ts";
import { idsReferredTo } from "../../model/fields/references.ts";
import { type Kind, kinds } from "../../model/kinds/index.ts";
import { ownPartFields, partsIn, type DeclaredPart, declaredParts } from "../../model/parts/index.ts";
import type { Problem } from "../../problems/problem.ts";
import type { Catalogue } from "../../model/schema/catalogues.ts";
import type { FieldSchema } from "../../model/schema/field-schema.ts";
import { type Action, isLiveUpdate, type LiveAction } from "../plan/action.ts";
import { isLiveDeletion } from "../plan/lost-resources.ts";
import { unreadIn } from "../plan/live-state.ts";
import { addressBy, type ResourceIdentity } from "../plan/inventory.ts";
import { knownParts } from "../plan/parts.ts";
import { firstNamed } from "../../values/text.ts";

/** Resources that cannot be deleted, because other resources refer to them, or because they come with their parent. */
export const inUse: Concern = {
  name: "referrers",
  programs: true,
  need: (whole) => void (isRelevant(whole) && needReferrers(whole)),
  object: (whole) => (isRelevant(whole) ? [...broughtProblems(whole), ...referrerProblems(whole)] : []),
};

const isRelevant = ({ planning }: Whole) => planning.policy.mayBeInUse !== true;

/** Asks for everything that may refer to a deleted resource. */
function needReferrers({ planning, actions }: Whole): void {
  const { findings, inventory, live } = planning;
  const catalogues = new Set(goingEntries(actions).map(({ catalogue }) => catalogue));
  if (catalogues.size === 0) return;
  const needed = new Set<Kind>();
  for (const kind of kinds)
    if ([...catalogues].some((catalogue) => refersTo(kind.fields, catalogue)))
      for (let at: Kind | undefined = kind; at; at = at.parent) needed.add(at);
  const visit = (
    parent: Kind | undefined,
    parentId: string,
    inside: readonly ResourceIdentity[],
    of?: ResourceIdentity,
  ): void => {
    for (const kind of unreadIn(live, parent, parentId))
      if (needed.has(kind)) findings.needList(kind, parentId, of?.live);
    for (const identity of inside) {
      const { live: resource } = identity;
      if (!resource) continue;
      const parts = referringParts(resource.kind, catalogues);
      knownParts(planning, resource, parts);
      visit(resource.kind, identity.id, identity.contents, identity);
    }
  };
  visit(undefined, live.organization.id, inventory.roots);
}

function referrerProblems({ planning, actions, lostResources }: Whole): Problem[] {
  const { inventory, live: state } = planning;
  const entries = goingEntries(actions);
  if (entries.length === 0) return [];
  const going = new Set(lostResources.map(({ identity }) => identity.id));
  const expected = new Map(
    actions.flatMap((action): [string, Fields][] =>
      isLiveUpdate(action) ? [[action.resourceId, action.expected]] : [],
    ),
  );
  const catalogues = new Set(entries.map(({ catalogue }) => catalogue));
  const fieldsOf = ({ id, live }: ResourceIdentity): Fields | undefined => {
    if (!live) return expected.get(id);
    const parts = referringParts(live.kind, catalogues);
    const inParts = ownPartFields(parts, partsIn(state.parts, live, parts) ?? []);
    return { ...live.fields, ...inParts, ...expected.get(id) };
  };
  const staying = [...inventory.byId.values()].filter(({ id }) => !going.has(id));
  return entries.flatMap(({ id, catalogue, address }) => {
    const referrers = staying.filter((each) => {
      const fields = fieldsOf(each);
      return each.kind && fields && idsReferredTo(each.kind.fields, fields, catalogue).includes(id);
    });
    if (referrers.length === 0) return [];
    const names = referrers.map((each) => formatAddress(addressBy(each, each.names[0] ?? []))).toSorted();
    return [
      {
        code: "in_use",
        message: `${formatAddress(address)} cannot be deleted: ${firstNamed(names, 10)} refer${names.length === 1 ? "s" : ""} to it`,
        advice: "change these references first, or keep the resource",
        address: formatAddress(address),
      },
    ];
  });
}

/** The deleted entries of lists to which fields refer. */
function goingEntries(actions: readonly Action[]): { id: string; catalogue: Catalogue; address: Address }[] {
  return actions
    .filter((action): action is LiveAction => isLiveDeletion(action))
    .flatMap(({ resourceId: id, address }) => {
      const { catalogue, deletion } = address.kind;
      return catalogue && !deletion?.breaksReferences ? [{ id, catalogue, address }] : [];
    });
}

/** The parts of a kind that may refer to entries of these lists, and that no answer about the resource contains. */
function referringParts(kind: Kind, catalogues: ReadonlySet<Catalogue>): DeclaredPart[] {
  return declaredParts(kind).filter(({ form }) =>
    [...catalogues].some((catalogue) => refersTo(form.schema, catalogue)),
  );
}

function refersTo(schema: FieldSchema, catalogue: Catalogue): boolean {
  if (schema.reference === catalogue) return true;
  const inner = [schema.items, schema.entries, ...Object.values(schema.properties ?? {})];
  return inner.some((each) => each !== undefined && refersTo(each, catalogue));
}

/** Problems of deleting resources that the server creates with their parent and keeps as long as the parent. */
function broughtProblems({ planning, actions }: Whole): Problem[] {
  const { byId } = planning.inventory;
  return actions.filter(isLiveDeletion).flatMap(({ resourceId, address, carriedOutBy }): Problem[] => {
    const { kind, name = "" } = byId.get(resourceId) ?? {};
    if (carriedOutBy !== undefined || kind?.comesWithParent?.(name) === undefined) return [];
    const parent = kind.parent?.name ?? "organization";
    return [
      {
        code: "impossible",
        message: `${describeAddress(address)} cannot be deleted: it is a part of its ${parent}`,
        advice: `keep it, or delete the ${parent}`,
        address: formatAddress(address),
      },
    ];
  });
}
