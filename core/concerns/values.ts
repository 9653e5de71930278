import { credentialRisk, openCredentials } from "../rules/credentials.ts";
import { addressKey, parentAddress } from "../address.ts";
import type { Desired } from "../manifest/index.ts";
import { type Fields, isFields, own } from "../json.ts";
import { partsIn, type StatedPart, statedParts } from "../parts/index.ts";
import type { Expected } from "../plan/expected.ts";
import type { Refusal } from "../plan/findings.ts";
import { type Comparison, everyBase } from "../plan/overlay.ts";
import type { Concern, Planning } from "../plan/planning.ts";
import { hasEntry, partsBeside } from "./needs.ts";

/** Notes the stated parts whose values look as if nobody should read them. Never quotes a value. */
export function noteCredentials({ findings }: Planning, { given: { address, stated } }: Comparison): void {
  const found = openCredentials(address.kind, stated).map(({ path, what }) => `${path.join(".")} (${what})`);
  if (found.length > 0)
    findings.note({
      code: "credential",
      message: `${found.join(", ")}: ${credentialRisk}; state it under secrets`,
      address,
    });
}

/**
 * Refuses stated parts that the server would take for something else, such as a variable whose value is the key of another
 * variable. Sends no request for it: what no list says yet, the next plan finds.
 */
export function refuseMistakenValues(planning: Planning, comparison: Comparison): Refusal[] {
  const { desired, base, wanted, on } = comparison;
  // A copy sees what its source sees only in the same parent.
  const seenBy = on === "source" && !isBesideSource(desired) ? undefined : base;
  return statedParts(desired.address.kind).flatMap((part) =>
    entriesOf(desired.stated, part.member).flatMap(([key, entry]): Refusal[] => {
      const other = part.form.isTakenForAliasOf?.(key, entry);
      // The document alone shows an entry of its own.
      if (other === undefined || hasEntry(part, desired.address, desired.stated, other)) return [];
      if (!isKnown(planning, part, desired, seenBy, wanted, other)) return [];
      return [
        {
          code: "impossible",
          path: [part.member, key],
          message: `${part.member}.${key}: its value is the key of another ${part.name}, so the API makes it an alias of ${other}`,
          help: `write { alias_of: ${other} }, or another value`,
        },
      ];
    }),
  );
}

function isBesideSource({ address, cloneFrom }: Desired): boolean {
  const [its, others] = [address, cloneFrom ?? address].map(parentAddress);
  return its && others ? addressKey(its) === addressKey(others) : its === others;
}

/** Whether the resource sees an entry of that key, as far as is known. */
function isKnown(
  { live, expectations }: Planning,
  part: StatedPart,
  desired: Desired,
  current: Expected | undefined,
  wanted: Fields,
  key: string,
): boolean {
  if (hasEntry(part, desired.address, wanted, key)) return true;
  const seen = current?.live && partsIn(live.parts, current.live, partsBeside(part, current.live.kind));
  if (seen?.some((entry) => entry.key === key && !entry.isOwn)) return true;
  for (let above = parentAddress(desired.address); above; above = parentAddress(above)) {
    const parent = expectations.find(above);
    if (parent && hasEntry(part, above, parent.fields, key)) return true;
  }
  return false;
}

function entriesOf(fields: Fields, member: string): [string, Fields][] {
  const entries = own(fields, member);
  return isFields(entries)
    ? Object.entries(entries).filter((entry): entry is [string, Fields] => isFields(entry[1]))
    : [];
}

/** Values of parts that look wrong: credentials that anyone can read, and keys of other parts. */
export const values: Concern = {
  name: "values",
  programs: true,
  note: { on: everyBase, run: noteCredentials },
  refuse: { on: everyBase, run: refuseMistakenValues },
};
