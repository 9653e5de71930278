import { resolveStated } from "../../rules/references.ts";
import type { Fields } from "../../values/json.ts";
import type { Kind } from "../../model/kinds/index.ts";
import { type Answer, ifKnown, open } from "../plan/answer.ts";
import type { Refusal } from "../plan/findings.ts";
import { everyBase } from "../plan/overlay.ts";
import type { Concern, Planning } from "../plan/planning.ts";

/**
 * Stated fields with their references looked up, and with the defaults that the API gives in place of null. What cannot be
 * looked up stays as it is stated.
 *
 * @param current those that the resource has already
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

/** The names of other resources that fields state. */
export const references: Concern = {
  name: "references",
  programs: true,
  state: {
    on: everyBase,
    run: (planning, { desired, stated, fields }) => resolve(planning, desired.address.kind, stated, fields),
  },
};
