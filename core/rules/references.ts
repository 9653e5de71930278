import { type CatalogueEntry, resolveReferences } from "../model/fields/references.ts";
import type { Fields } from "../values/json.ts";
import type { Kind } from "../model/kinds/index.ts";
import { type PartListing, type PartLists, resolveDefaults } from "../model/parts/index.ts";
import type { Message } from "../problems/say.ts";
import type { Catalogue } from "../model/schema/catalogues.ts";

/**
 * Resolves the references in declared fields, and null to the API's defaults.
 *
 * @param current the present fields of the resource, whose references need no list
 */
export function resolveStated(
  kind: Kind,
  stated: Fields,
  current: Fields | undefined,
  {
    entriesOf,
    defaults,
  }: {
    /** Undefined while the list is unknown. */
    entriesOf(catalogue: Catalogue): readonly CatalogueEntry[] | undefined;
    defaults: PartLists;
  },
): {
  /** The declared fields with ids for names; an unresolved name stays. */
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
