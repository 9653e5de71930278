import type { Kind } from "../model/kinds/index.ts";
import { nameKey } from "../model/addresses/names.ts";

/** The facts about a change of a resource that costs money or takes others down. */
export const infrastructureRisk = "that costs money, or takes down what runs on it";

/**
 * Whether a change of a resource still needs the consent of a person that names it.
 *
 * @param names the name that the resource has, and the one that it gets: both have to be named
 * @param consented the names that a person has stated; undefined if there is no consent at all
 */
export function lacksConsent(
  { isInfrastructure }: Kind,
  names: readonly string[],
  consented: readonly string[] | undefined,
): boolean {
  const known = new Set(consented?.map(nameKey));
  return isInfrastructure === true && !names.every((name) => known.has(nameKey(name)));
}
