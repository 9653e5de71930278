import { claimsIn } from "../../core/rules/claims.ts";
import type { Kind } from "../../core/kinds/index.ts";
import { nameKey } from "../../core/names.ts";
import { camelCase } from "./casing.ts";
import { type Properties, readInputs } from "./inputs.ts";
import { hasUnknown } from "./unknown.ts";

/**
 * Things claimed by resources of a program that can belong to one resource only, such as a custom domain. The engine checks
 * every resource of a program in one process, some of them more than once.
 */
export class ProgramClaims {
  readonly #owners = new Map<string, string>();

  /** Notes the claims of a resource, and reports those that another resource has. */
  take(kind: Kind, inputs: Properties): { property: string; reason: string }[] {
    const { name, parentId, fields } = readInputs(kind, inputs);
    // The same resource may be checked again, when the id of its parent is known.
    if (hasUnknown({ name, parentId: parentId ?? null })) return [];
    const owner = `${kind.slug}/${parentId}/${nameKey(name)}`;
    return claimsIn(kind, fields)
      .filter(({ claim }) => this.#isTaken(claim, owner))
      .map(({ path: [member], claim }) => ({
        property: camelCase(member),
        reason: `${camelCase(member)}: another resource of this program has the ${claim}; remove it from one of the two`,
      }));
  }

  #isTaken(claim: string, owner: string): boolean {
    const first = this.#owners.get(claim) ?? owner;
    this.#owners.set(claim, first);
    return first !== owner;
  }
}
