import { resolveStated } from "../../rules/references.ts";
import type { Fields } from "../../values/json.ts";
import type { Kind } from "../../model/kinds/index.ts";
import { attempt, type Refusal, Unplannable } from "../plan/findings.ts";
import { everyBase } from "../plan/overlay.ts";
import type { Concern, Planning } from "../plan/planning.ts";

/**
 * Stated fields with their references looked up, and with the defaults that the API gives in place of null. What cannot be
 * looked up stays as it is stated.
 *
 * @param current those that the resource has already
 * @throws Unplannable while something has to be read first
 */
export function resolve(
  { live, findings, expectations }: Planning,
  kind: Kind,
  stated: Fields,
  current?: Fields,
): { stated: Fields; refusals: Refusal[] } {
  const { fields, missing, problems } = resolveStated(kind, stated, current, {
    entriesOf: (catalogue) => attempt(() => expectations.entriesOf(catalogue)),
    defaults: live.defaults,
  });
  for (const listing of missing.defaults) findings.needDefaults(listing);
  if (missing.catalogues.length + missing.defaults.length > 0 && !live.isFinal) throw new Unplannable();
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
