import { withoutElementIds } from "../../model/fields/overlay.ts";
import { type Address, parentAddress } from "../../model/addresses/address.ts";
import type { DesiredResource } from "../../manifests/manifest/index.ts";
import { type Fields, type Json, own } from "../../values/json.ts";
import {
  dependentsOf,
  entriesIn,
  isDefault,
  ownPartFields,
  type Part,
  type PartEntry,
  partsIn,
  partsWith,
  type DeclaredPart,
  declaredParts,
  withoutUncopiedParts,
} from "../../model/parts/index.ts";
import type { LiveResource } from "../../state/live/index.ts";
import { type Answer, collect, ifKnown, open } from "./answer.ts";
import type { ExpectedResource } from "./expected-resources.ts";
import type { Comparison } from "./overlay.ts";
import type { Concern, Planning } from "./planning.ts";
import { undeclaredSiblings } from "./siblings.ts";

/** The fields of a resource, with its live parts of the declared sorts. A copy has the parts of its source. */
export function withLiveParts(
  planning: Planning,
  desired: DesiredResource,
  resource: ExpectedResource,
): Answer<Fields> {
  const { kind, fields, origin, live } = resource;
  const missing = partsWith(kind, membersIn(desired)).filter(({ member }) => !Object.hasOwn(fields, member));
  if (!origin || missing.length === 0) return fields;
  const copied = live ? missing : missing.filter(({ form }) => !form.staysWithSource);
  const listed = listedParts(planning, origin, copied);
  if (listed === open) return open;
  const above = ifKnown(levelsAbove(planning, desired.address)) ?? [];
  const gone = listed.filter(
    (each) =>
      !each.isOwn &&
      // A part that becomes another sort stays.
      above.some((parent) => isRemoved(planning, parent, each) && !hasKey(parent, each.key)),
  );
  const goes = new Set(dependentsOf(gone, listed));
  return {
    ...fields,
    ...ownPartFields(
      missing,
      listed.filter((each) => !goes.has(each)),
    ),
  };
}

/** The parents of a resource, from the nearest up. */
export function levelsAbove(planning: Planning, address: Address): Answer<ExpectedResource[]> {
  const above = parentAddress(address);
  const parent = above && planning.expectations.find(above);
  if (!above || !parent) return [];
  const others = parent === open ? open : levelsAbove(planning, above);
  return parent === open || others === open ? open : [parent, ...others];
}

function hasKey({ kind, fields }: ExpectedResource, key: string): boolean {
  return declaredParts(kind).some(
    ({ member, form }) => form.goesWith && (own(entriesIn(fields, member), key) ?? null) !== null,
  );
}

/** Whether the document of a parent removes an entry of it. */
export function isRemoved(
  { inventory }: Planning,
  parent: ExpectedResource,
  { part, key, response }: PartEntry,
): boolean {
  const { member } = part;
  const { id = "" } = parent;
  const isIts = declaredParts(parent.kind).some(
    (each) => each.member === member && (each.isOwn?.(response, id, [response], undefined) ?? true),
  );
  const { documents = [] } = inventory.byId.get(id) ?? {};
  const isNull = (fields: Fields) => own(entriesIn(fields, member), key) === null;
  return (
    isIts &&
    (isNull(parent.fields) ||
      documents.some(({ declared, manage }) => isNull(declared) || manage.exclusive?.includes(member)))
  );
}

/** The undeclared configuration with requests of its own, without defaults: a replacement has to write it again. */
export function undeclaredConfiguration(planning: Planning, comparison: Comparison): Answer<Fields> {
  const { base, fields } = comparison;
  if (!base?.live) return {};
  const parts = declaredParts(base.kind).filter(
    ({ member, isConfiguration, form }) =>
      isConfiguration && !form.isSingle && !Object.hasOwn(fields, member),
  );
  const listed = listedParts(planning, base.live, parts);
  if (listed === open) return open;
  const found = ownPartFields(parts, listed);
  const entries = collect(parts, (part): Answer<[string, Json][]> => {
    const declared = withoutDefaults(planning, part, Object.entries(entriesIn(found, part.member)));
    if (declared === open) return open;
    return declared.length === 0 ? [] : [[part.member, Object.fromEntries(declared)]];
  });
  const siblings = undeclaredSiblings(planning, comparison);
  return entries === open || siblings === open ? open : { ...Object.fromEntries(entries), ...siblings };
}

/** The entries whose values are not defaults: entries with defaults need no removal. */
export function withoutDefaults(
  { live, findings }: Planning,
  part: DeclaredPart,
  entries: readonly [string, Json][],
): Answer<[string, Json][]> {
  return collect(entries, ([key, value]): Answer<[string, Json][]> => {
    const hasDefault = isDefault(part, live.defaults, key, value);
    if (hasDefault === undefined && part.form.defaults) findings.needDefaults(part.form.defaults);
    return hasDefault === undefined ? open : hasDefault ? [] : [[key, value]];
  });
}

export function listedParts(
  { live, findings }: Planning,
  resource: LiveResource,
  parts: readonly Part[],
): Answer<PartEntry[]> {
  return partsIn(live.parts, resource, parts) ?? findings.needParts(resource, parts);
}

/** As far as they have been read. */
export function knownParts(
  planning: Planning,
  resource: LiveResource,
  parts: readonly Part[],
): readonly PartEntry[] {
  return ifKnown(listedParts(planning, resource, parts)) ?? [];
}

/** The declared members whose parts have lists of their own. */
export function membersIn({ address, declared, manage }: DesiredResource): string[] {
  return declaredParts(address.kind)
    .filter(({ form }) => !form.isSingle)
    .map(({ member }) => member)
    .filter((member) => Object.hasOwn(declared, member) || manage.exclusive?.includes(member));
}

/** The live parts of a resource, where its document declares parts. */
export const liveParts: Concern = {
  name: "live parts",
  programs: true,
  state: {
    on: { nothing: "a new resource has no parts", source: true, existing: true },
    run(planning, { on, base, desired }) {
      if (!base) return {};
      const fields = withLiveParts(planning, desired, base);
      if (fields === open) return open;
      const { kind } = base;
      const copied = () => withoutElementIds(kind.fields, withoutUncopiedParts(kind, fields));
      return { fields: on === "source" ? copied() : fields };
    },
  },
};
