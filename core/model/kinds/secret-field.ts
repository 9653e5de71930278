import { secretEntry } from "../parts/index.ts";
import type { FieldSchema } from "../schema/field-schema.ts";

/** A text that the API never shows: documents name its source, programs contain it; `shownBy`: the member that says it exists. */
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
