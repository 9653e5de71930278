import { credentialText, openCredentials } from "../../rules/credentials.ts";
import { doubtsIn } from "../../rules/doubts.ts";
import { addressKey, nameOf, parentAddress, parentsOf } from "../../model/addresses/address.ts";
import type { DesiredResource } from "../../manifests/manifest/index.ts";
import { type Fields, isFields, own } from "../../values/json.ts";
import { partsIn, type DeclaredPart, declaredParts } from "../../model/parts/index.ts";
import { ifKnown } from "../plan/answer.ts";
import type { ExpectedResource } from "../plan/expected-resources.ts";
import type { Refusal } from "../plan/findings.ts";
import { credentialsAround } from "../plan/passwords.ts";
import { type Comparison, everyBase } from "../plan/overlay.ts";
import type { Concern, Planning } from "../plan/planning.ts";
import { field, say } from "../../problems/say.ts";
import { noteRefused, refuseRefused } from "./name-conflicts.ts";
import { hasEntry, partsBeside } from "./needs.ts";

/** Notes declared parts whose values look like credentials. Never quotes a value. */
export function noteCredentials(
  planning: Planning,
  { given: { address, declared }, base }: Comparison,
): void {
  const { findings } = planning;
  const known = credentialsAround(planning, address, base?.id, false);
  const found = openCredentials(address.kind, declared, known);
  if (found.length > 0)
    findings.note({ code: "credential", message: credentialText(address.kind, found), address });
}

/** Notes valid but doubtful values, such as CPU in cores. */
function noteDoubts({ findings }: Planning, { given: { address, declared }, base }: Comparison): void {
  for (const { message } of doubtsIn(address.kind, nameOf(address), declared, base?.fields ?? {}))
    findings.note({ code: "doubtful_value", message, address });
}

/** Refuses declared parts that the server would understand otherwise, such as a variable whose value is another's key. */
export function refuseMistakenValues(planning: Planning, comparison: Comparison): Refusal[] {
  const { desired, base, expected, on } = comparison;
  // A copy inherits the same entries as its source only in the same parent.
  const seenBy = on === "source" && !isBesideSource(desired) ? undefined : base;
  return declaredParts(desired.address.kind).flatMap((part) =>
    entriesOf(desired.declared, part.member).flatMap(([key, entry]): Refusal[] => {
      const other = part.form.isTakenForAliasOf?.(key, entry);
      // The document declares an entry with this key itself.
      if (other === undefined || hasEntry(part, desired.address, desired.declared, other)) return [];
      if (!isKnown(planning, part, desired, seenBy, expected, other)) return [];
      return [
        {
          code: "impossible",
          path: [part.member, key],
          message: say`${field([part.member, key])}: its value is the key of another ${part.name}, so the API makes it an alias of ${other}`,
          help: { remedies: [{ declare: "alias", of: other }] },
        },
      ];
    }),
  );
}

function isBesideSource({ address, cloneFrom }: DesiredResource): boolean {
  const [its, others] = [address, cloneFrom ?? address].map(parentAddress);
  return its && others ? addressKey(its) === addressKey(others) : its === others;
}

/** Whether the resource is known to have or inherit an entry of that key. */
function isKnown(
  { live, expectations }: Planning,
  part: DeclaredPart,
  desired: DesiredResource,
  current: ExpectedResource | undefined,
  expected: Fields,
  key: string,
): boolean {
  if (hasEntry(part, desired.address, expected, key)) return true;
  const seen = current?.live && partsIn(live.parts, current.live, partsBeside(part, current.live.kind));
  if (seen?.some((entry) => entry.key === key && !entry.isOwn)) return true;
  return parentsOf(desired.address).some((above) => {
    const parent = ifKnown(expectations.find(above));
    return parent && hasEntry(part, above, parent.fields, key);
  });
}

function entriesOf(fields: Fields, member: string): [string, Fields][] {
  const entries = own(fields, member);
  return isFields(entries)
    ? Object.entries(entries).filter((entry): entry is [string, Fields] => isFields(entry[1]))
    : [];
}

/** Values that look wrong: readable credentials, keys of other parts, doubtful values. */
export const values: Concern = {
  name: "values",
  programs: true,
  note: {
    on: everyBase,
    run(planning, comparison) {
      noteCredentials(planning, comparison);
      noteDoubts(planning, comparison);
      noteRefused(planning, comparison);
    },
  },
  refuse: {
    on: everyBase,
    run: (planning, comparison) => [
      ...refuseMistakenValues(planning, comparison),
      ...refuseRefused(planning, comparison),
    ],
  },
};
