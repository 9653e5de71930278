import { secretEntry } from "../parts/index.ts";
import type { FieldSchema } from "../schema/field-schema.ts";

/**
 * A text that the API never shows. Documents name its source; programs contain it.
 *
 * @param shownBy the member that a response has if there is a value; absent: there always is one
 */
export const secretField = (description: string, shownBy?: string): FieldSchema => ({
  ...secretEntry,
  description,
  secret: true,
  resettable: false,
  ...(shownBy !== undefined && { shownBy }),
});

/** `secretField` for a resource without a description: its live name keeps the version. */
export function secretFieldOfName(description: string, shownBy?: string): FieldSchema {
  const { version, ...properties } = secretEntry.properties ?? {};
  const ofName = "infrasync writes the secret again when this changes; the live name ends with it.";
  return {
    ...secretField(description, shownBy),
    properties: { ...properties, version: { ...version, description: ofName } },
  };
}
