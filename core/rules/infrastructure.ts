import type { Kind } from "../model/kinds/index.ts";
import { nameKey } from "../model/addresses/names.ts";

/** The risk of changing a resource that costs money or takes others down. */
export const infrastructureRisk = "that costs money, or takes down what runs on it";

/**
 * Whether a change of a resource still needs a consent by name.
 *
 * @param names the present and the new name: both need consent
 * @param consented the consented names; undefined: there is no consent at all
 */
export function lacksConsent(
  { isInfrastructure }: Kind,
  names: readonly string[],
  consented: readonly string[] | undefined,
): boolean {
  const known = new Set(consented?.map(nameKey));
  return isInfrastructure === true && !names.every((name) => known.has(nameKey(name)));
}
