import { type CatalogueEntry, resolveReferences } from "../model/fields/references.ts";
import type { Fields } from "../values/json.ts";
import type { Kind } from "../model/kinds/index.ts";
import { type PartListing, type PartLists, resolveDefaults } from "../model/parts/index.ts";
import type { Message } from "../problems/say.ts";
import type { Catalogue } from "../model/schema/catalogues.ts";

/**
 * Looks up the references in stated fields, and the defaults that the API gives in place of null.
 *
 * @param current the fields that the resource has already: a reference that it has needs no list
 */
export function resolveStated(
  kind: Kind,
  stated: Fields,
  current: Fields | undefined,
  {
    entriesOf,
    defaults,
  }: {
    /** The entries of a list of the organization; undefined while they are not known. */
    entriesOf(catalogue: Catalogue): readonly CatalogueEntry[] | undefined;
    defaults: PartLists;
  },
): {
  /** The stated fields with ids for names; a name that cannot be looked up stays. */
  fields: Fields;
  /** The lists that have to be read first. */
  missing: { catalogues: readonly Catalogue[]; defaults: readonly PartListing[] };
  problems: readonly {
    code: "reference" | "invalid";
    path: string[];
    message: string | Message;
    advice: string;
  }[];
} {
  const named = resolveReferences(kind.fields, stated, current, entriesOf);
  const complete = resolveDefaults(kind, named.fields, defaults);
  return {
    fields: kind.form?.simplify?.(complete.fields) ?? complete.fields,
    missing: { catalogues: named.missing, defaults: complete.missing },
    problems: [
      ...named.problems.map((problem) => ({ ...problem, code: "reference" as const })),
      ...complete.problems.map((problem) => ({ ...problem, code: "invalid" as const })),
    ],
  };
}
