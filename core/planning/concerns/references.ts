import { resolveStated } from "../../rules/references.ts";
import type { Fields } from "../../values/json.ts";
import type { Kind } from "../../model/kinds/index.ts";
import { type Answer, ifKnown, open } from "../plan/answer.ts";
import type { Refusal } from "../plan/findings.ts";
import { everyBase } from "../plan/overlay.ts";
import type { Concern, Planning } from "../plan/planning.ts";

/**
 * The declared fields with references resolved, and the API's defaults in place of null. Unknown references stay as
 * declared.
 *
 * @param current the references that the resource has already
 */
export function resolve(
  { live, findings, expectations }: Planning,
  kind: Kind,
  stated: Fields,
  current?: Fields,
): Answer<{ stated: Fields; refusals: Refusal[] }> {
  const { fields, missing, problems } = resolveStated(kind, stated, current, {
    entriesOf: (catalogue) => ifKnown(expectations.entriesOf(catalogue)),
    defaults: live.defaults,
  });
  for (const listing of missing.defaults) findings.needDefaults(listing);
  if (missing.catalogues.length + missing.defaults.length > 0 && !live.isFinal) return open;
  return {
    stated: fields,
    refusals: problems.map(({ advice, ...problem }) => ({ ...problem, help: advice })),
  };
}

/** References to other resources in fields. */
export const references: Concern = {
  name: "references",
  programs: true,
  state: {
    on: everyBase,
    run: (planning, { desired, stated, fields }) => resolve(planning, desired.address.kind, stated, fields),
  },
};
