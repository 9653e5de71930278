import { formatReference } from "../../model/addresses/address.ts";
import { fixedInClone } from "../../rules/clone.ts";
import { objectionsTo } from "../../rules/possible.ts";
import { similar } from "../plan/locate.ts";
import { type Answer, asFarAsKnown, open } from "../plan/answer.ts";
import type { Refusal } from "../plan/findings.ts";
import { type Comparison, everyBase } from "../plan/overlay.ts";
import type { Concern, Planning } from "../plan/planning.ts";
import { field, say } from "../../problems/say.ts";

export function refuseImpossible(planning: Planning, comparison: Comparison): Answer<Refusal[]> {
  const { desired, how, present, expected, changes } = comparison;
  const { kind } = desired.address;
  // Most resources are synced, and nothing is sent.
  if (how === "update" && changes.length === 0) return [];
  const objections = objectionsTo(kind, { how, current: present, desired: expected }).filter(({ path }) =>
    isSent(comparison, path),
  );
  if (objections.length === 0) return [];
  const found = how === "create" ? similar(planning.expectations, desired.address) : undefined;
  const near = asFarAsKnown(planning, found, undefined);
  if (near === open) return open;
  // A resource that another document declares is not meant.
  const isMeant = near !== undefined && !planning.inventory.documentOf({ kind, names: near });
  return objections.map(({ path, message, isMissing, oneOf }): Refusal => {
    const what = say`${field(path)} ${message}`;
    if (!isMissing) return { code: "impossible", path, message };
    const missing = { message, ...(oneOf && { oneOf }) };
    if (how !== "create")
      return {
        code: "impossible",
        path,
        message: what,
        help: "declare it, or declare another value",
        missing,
      };
    return {
      code: "invalid",
      path,
      missing,
      message: say`the resource does not exist, and for its creation ${what}`,
      help: isMeant
        ? `did you mean ${formatReference(near)}? If it is new, declare it`
        : `declare it, or correct the name if the ${kind.name} exists; to rename one, add manage: { renamed_from: OLD_NAME }`,
    };
  });
}

/** Whether a request of the resource sends the member: parts have their own requests, except single objects. */
function isSent({ desired, on, changes }: Comparison, [member = ""]: readonly string[]): boolean {
  const schemas = desired.address.kind.fields.properties ?? {};
  const isPartWithEntries = (name: string) =>
    schemas[name]?.part === true && schemas[name].properties === undefined;
  return (
    on !== "existing" ||
    isPartWithEntries(member) ||
    changes.some(({ path: [changed = ""] }) => !isPartWithEntries(changed))
  );
}

/** Refuses changes that a clone cannot have, as one mistake for all fields that are fixed for the same reason. */
export function refuseDifferences({ desired, changes }: Comparison): Refusal[] {
  const fixed = fixedInClone(desired.address.kind, changes);
  const first = new Map(fixed.toReversed().map((change) => [change.replaces, change]));
  return fixed
    .filter((change) => first.get(change.replaces) === change)
    .map(({ path, replaces }) => ({
      code: "impossible",
      path,
      message: say`a clone cannot differ from its source in ${field(path)}: ${replaces}`,
      help: { remedies: [{ declare: "uncloned" }] },
    }));
}

/** Resources that nobody creates, such as the organization. */
export const given: Concern = {
  name: "given",
  programs: true,
  refuse: {
    on: { nothing: true, source: "no such kind can be cloned", existing: "it exists" },
    run: refuseGiven,
  },
};

/** Requests that the API would refuse. */
export const possible: Concern = {
  name: "possible",
  programs: true,
  refuse: {
    on: everyBase,
    run(planning, comparison) {
      const found = refuseImpossible(planning, comparison);
      return comparison.on === "source" && found !== open
        ? [...refuseDifferences(comparison), ...found]
        : found;
    },
  },
};

function refuseGiven(
  { expectations }: Planning,
  {
    desired: {
      address: { kind },
    },
  }: Comparison,
): Answer<Refusal[]> {
  if (kind.use !== "settings") return [];
  const existing = expectations.inOrganization(kind);
  if (existing === open) return open;
  const names = existing.map(({ name }) => name).join(", ");
  return [
    {
      code: "not_found",
      path: ["name"],
      message: `there is no ${kind.name} of that name, and infrasync creates none; this run works in ${names}`,
      help: { remedies: [{ declare: "given", name: names }] },
    },
  ];
}
