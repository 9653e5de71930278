import type { Fields } from "../../values/json.ts";
import type { Kind } from "../../model/kinds/index.ts";
import { type Answer, ifKnown, open } from "../plan/answer.ts";
import type { Refusal } from "../plan/findings.ts";
import { everyBase } from "../plan/overlay.ts";
import type { Concern, Planning } from "../plan/planning.ts";
import { type CatalogueEntry, resolveReferences } from "../../model/fields/references.ts";
import { type PartListing, type PartLists, resolveDefaults } from "../../model/parts/index.ts";
import type { Message } from "../../problems/say.ts";
import type { Catalogue } from "../../model/schema/catalogues.ts";

/** The declared fields with references resolved, and the API's defaults in place of null. Unknown references stay. */
export function resolve(
  { live, findings, expectations }: Planning,
  kind: Kind,
  declared: Fields,
  current?: Fields,
): Answer<{ declared: Fields; refusals: Refusal[] }> {
  const { fields, missing, problems } = resolveDeclared(kind, declared, current, {
    entriesOf: (catalogue) => ifKnown(expectations.entriesOf(catalogue)),
    defaults: live.defaults,
  });
  for (const listing of missing.defaults) findings.needDefaults(listing);
  if (missing.catalogues.length + missing.defaults.length > 0 && !live.isFinal) return open;
  return {
    declared: fields,
    refusals: problems.map(({ advice, ...problem }) => ({ ...problem, help: advice })),
  };
}

/** References to other resources in fields. */
export const references: Concern = {
  name: "references",
  programs: true,
  state: {
    on: everyBase,
    run: (planning, { desired, declared, fields }) =>
      resolve(planning, desired.address.kind, declared, fields),
  },
};

/** Resolves references, and null to the API's defaults; present references need no list. */
function resolveDeclared(
  kind: Kind,
  declared: Fields,
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
  const named = resolveReferences(kind.fields, declared, current, entriesOf);
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
