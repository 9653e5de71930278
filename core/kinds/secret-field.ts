import { secretEntry } from "../parts/index.ts";
import type { FieldSchema } from "../schema/field-schema.ts";

/**
 * A text that the API takes and never shows. Documents say where it comes from; programs state it.
 *
 * @param shownBy the member beside it that a response has if there is a value; absent: there always is one
 */
export const secretField = (description: string, shownBy?: string): FieldSchema => ({
  ...secretEntry,
  description,
  secret: true,
  resettable: false,
  ...(shownBy !== undefined && { shownBy }),
});

/** The same for a resource without a description, which would keep the version. */
export function secretFieldWithoutVersion(description: string, shownBy?: string): FieldSchema {
  const { version: _version, ...properties } = secretEntry.properties ?? {};
  return { ...secretField(description, shownBy), properties };
}
