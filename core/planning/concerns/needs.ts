import { type Address, parentAddress } from "../../model/addresses/address.ts";
import type { DesiredResource } from "../../manifests/manifest/index.ts";
import { type Fields, isFields, own } from "../../values/json.ts";
import { type Kind, isKeyOfOutput } from "../../model/kinds/index.ts";
import {
  entriesIn,
  type Part,
  type PartEntry,
  type PartNeed,
  partsIn,
  partsWith,
  shareList,
  type DeclaredPart,
  declaredParts,
} from "../../model/parts/index.ts";
import { field, say } from "../../problems/say.ts";
import { unknownValue } from "../../problems/unknown.ts";
import { openOverHidden } from "../../secrets/index.ts";
import { type Answer, collect, ifKnown, open } from "../plan/answer.ts";
import type { ExpectedResource } from "../plan/expected-resources.ts";
import type { Refusal } from "../plan/findings.ts";
import { type Comparison, everyBase } from "../plan/overlay.ts";
import { isRemoved, levelsAbove, listedParts, membersIn } from "../plan/parts.ts";
import type { Concern, Planning } from "../plan/planning.ts";
import { sourcesAmong } from "./outputs.ts";

/** Refuses variables and fields that are secrets on the server, and keys that belong to another sort of part. */
export function refuseOtherSorts(planning: Planning, { desired, base, fields }: Comparison): Refusal[] {
  const { address, declared } = desired;
  const visible = openOverHidden(address.kind.fields, declared, fields).map((path): Refusal => ({
    code: "exists",
    path,
    message: say`${field(path)}: it is a secret already, and writing the value would overwrite it`,
    help: { remedies: [{ declare: "secrecy" }] },
  }));
  const listed = partsSeen(planning, desired, base);
  const others = declaredParts(address.kind).flatMap((part) =>
    Object.entries(entriesIn(declared, part.member)).flatMap(([key, entry]): Refusal[] => {
      const { member, name } = part;
      const other = listed.find(
        (each) => each.isOwn && each.key === key && each.part.member !== member && shareList(each.part, part),
      );
      if (entry === null || !other) return [];
      const its = other.part.member;
      if (own(entriesIn(declared, its), key) === null) return [];
      return [
        {
          code: "exists",
          path: [member, key],
          message: say`${field([member, key])}: ${key} is a ${other.part.name} already, and writing the ${name} would overwrite it`,
          help: {
            remedies: [{ declare: "sort", key, as: other.part.name, under: its, becomes: name, member }],
          },
        },
      ];
    }),
  );
  return [...visible, ...others];
}

/** The known entries of the sorts of parts that a document declares. */
function partsSeen(
  { live }: Planning,
  desired: DesiredResource,
  resource: ExpectedResource | undefined,
): PartEntry[] {
  const parts = partsWith(desired.address.kind, membersIn(desired));
  return (resource?.live && partsIn(live.parts, resource.live, parts)) ?? [];
}

/** Notes parts that hide a platform value of the same key, such as a database's host. Sends no request. */
export function noteShadowed(planning: Planning, { desired, base, parent, on }: Comparison): void {
  const { address, declared } = desired;
  const listed = [
    ...partsSeen(planning, desired, base),
    ...(on === "nothing" ? partsAbove(planning, address) : []),
  ];
  const siblings = () => sourcesAmong(parent.contents.existing.filter(({ live }) => live));
  const isSet = (key: string) =>
    listed.some((each) => !each.isOwn && each.key === key && each.part.isBuiltIn?.(each.response)) ||
    isKeyOfOutput(key, siblings);
  for (const { member, name, isBuiltIn } of declaredParts(address.kind)) {
    if (!isBuiltIn) continue;
    const keys = Object.entries(entriesIn(declared, member)).flatMap(([key, entry]) => {
      const isHiding = entry !== null && !(isFields(entry) && entry["overrides"] === true);
      return isHiding && isSet(key) ? [key] : [];
    });
    for (const key of keys)
      planning.findings.note({
        code: "shadowed",
        message: `the ${name} ${key} hides the variable of the platform with this name`,
        address,
      });
  }
}

function partsAbove(planning: Planning, address: Address): PartEntry[] {
  const above = parentAddress(address);
  if (!above) return [];
  const parent = ifKnown(planning.expectations.find(above))?.live;
  const its = parent ? declaredParts(parent.kind).filter(({ isBuiltIn }) => isBuiltIn) : [];
  return [...((parent && partsIn(planning.live.parts, parent, its)) ?? []), ...partsAbove(planning, above)];
}

/** Refuses parts that refer to something missing, such as an alias of a missing variable. */
export function refuseUnmetNeeds(planning: Planning, comparison: Comparison): Answer<Refusal[]> {
  const { address, declared } = comparison.desired;
  const needs = declaredParts(address.kind).flatMap((part) =>
    Object.entries(entriesIn(declared, part.member)).flatMap(([key, entry]) =>
      ((isFields(entry) && part.form.needs?.(entry, key)) || []).map((need) => ({ part, key, need })),
    ),
  );
  return collect(needs, ({ part, key, need }): Answer<Refusal[]> => {
    // References to outputs of siblings are checked by a rule of their own.
    if (need.isOutput || isExpected(planning, part, comparison, need)) return [];
    const sorts = sortsAbove(planning, part, comparison, need.key);
    if (sorts === open) return open;
    const { as, what } = need;
    if (as === undefined ? sorts.length > 0 : sorts.some(({ member }) => member === as)) return [];
    const path = [part.member, key, need.member];
    const [other] = sorts;
    if (other)
      return [
        {
          code: "reference",
          path,
          message: say`${field([part.member, key])}: in a parent, ${key} is a ${other.name}, so only a ${other.name} can override it`,
          help: `declare it under ${other.member}, or remove overrides`,
        },
      ];
    const missing = as === undefined ? `there is no ${what}` : `no parent has a ${what}`;
    return [
      {
        code: "reference",
        path,
        message: say`${field([part.member, key])}: ${missing} ${need.key}`,
        help:
          as === undefined ? "correct the name, or declare it too" : "remove overrides, or correct the key",
      },
    ];
  });
}

/** Whether the documents declare the entry to which another one refers; a copy may inherit it, and is not known yet. */
function isExpected(
  planning: Planning,
  part: Part,
  { base, desired, expected }: Comparison,
  { key, as }: PartNeed,
): boolean {
  if (as === undefined && hasEntry(part, desired.address, expected, key)) return true;
  if (base && !base.live) return true;
  const above = levelsAbove(planning, desired.address);
  return above !== open && above.some((each) => hasEntry(part, each, each.fields, key, as));
}

/** The sorts under which live parents have an entry of that key, and will keep it. */
function sortsAbove(
  planning: Planning,
  part: Part,
  { on, base, desired }: Comparison,
  key: string,
): Answer<readonly Part[]> {
  const above = levelsAbove(planning, desired.address);
  if (above === open || above.some(({ fields }) => Object.values(fields).includes(unknownValue))) return open;
  // Only the server knows which variables it gives to a new parent.
  if (planning.live.unmade?.size && keyOfPlatform.test(key)) return open;
  // The list of a source does not show the parts that its copy inherits.
  const itself = on === "source" ? undefined : base?.live;
  const known = itself && partsIn(planning.live.parts, itself, partsBeside(part, itself.kind));
  const nearest = known ? undefined : above.find(({ live }) => live)?.live;
  const listed = nearest ? listedParts(planning, nearest, partsBeside(part, nearest.kind)) : known;
  if (listed === open) return open;
  return (listed ?? [])
    .filter((entry) => entry.key === key && !(known && entry.isOwn))
    .filter((entry) => !above.some((each) => isRemoved(planning, each, entry)))
    .map((entry) => entry.part);
}

/** A key of a variable that the platform may give to a new environment or project: `QOVERY_ENVIRONMENT_ID`. */
const keyOfPlatform = /_(?:PROJECT|ENVIRONMENT|KUBERNETES|CLOUD_PROVIDER)(?:_|$)/;

/** Whether fields have an entry of that key, in this part or in another one of the same list. Null means removed. */
export function hasEntry(
  part: Part,
  { kind }: Pick<Address, "kind">,
  fields: Fields,
  key: string,
  as?: string,
): boolean {
  return partsBeside(part, kind).some(
    ({ member }) => (as ?? member) === member && (own(entriesIn(fields, member), key) ?? null) !== null,
  );
}

/** The parts of a kind with the same list as a part: their entries can refer to each other. */
export function partsBeside(part: Part, kind: Kind): DeclaredPart[] {
  return declaredParts(kind).filter(
    ({ listing }) => listing("id", "parent").path === part.listing("id", "parent").path,
  );
}

const nothingThere = "nothing is there yet";

/** Keys under which the server has an entry of another sort. */
export const otherSorts: Concern = {
  name: "other sorts",
  programs: true,
  refuse: { on: { nothing: nothingThere, source: true, existing: true }, run: refuseOtherSorts },
  note: { on: everyBase, run: noteShadowed },
};

/** The entries to which parts refer. */
export const needs: Concern = {
  name: "needs",
  programs: true,
  refuse: { on: everyBase, run: refuseUnmetNeeds },
};
