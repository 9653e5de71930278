import { claimsIn } from "../../core/rules/claims.ts";
import type { Kind } from "../../core/kinds/index.ts";
import { nameKey } from "../../core/names.ts";
import { camelCase } from "./casing.ts";
import { type Properties, readInputs } from "./inputs.ts";
import type { RunLedger } from "./ledger.ts";
import { hasUnknown } from "../../core/unknown.ts";

/** Notes what a resource claims that can belong to one resource only, such as a custom domain, and reports what another one has. */
export function claim(
  ledger: RunLedger,
  kind: Kind,
  inputs: Properties,
): { property: string; reason: string }[] {
  const { name, parentId, fields } = readInputs(kind, inputs);
  // The same resource may be checked again, when the id of its parent is known.
  if (hasUnknown({ name, parentId: parentId ?? null })) return [];
  const owner = `${kind.slug}/${parentId}/${nameKey(name)}`;
  return claimsIn(kind, fields)
    .filter((claimed) => !ledger.claim(claimed.claim, owner))
    .map(({ path: [member], claim: what }) => ({
      property: camelCase(member),
      reason: `${camelCase(member)}: another resource of this program has the ${what}; remove it from one of the two`,
    }));
}
