import { compare, type FieldChange, formatPath } from "../../core/fields/compare.ts";
import { overlay } from "../../core/fields/overlay.ts";
import type { Fields } from "../../core/json.ts";
import type { Kind } from "../../core/kinds/index.ts";
import { fixedInClone } from "../../core/rules/clone.ts";
import { type Fixed, fixedAmong, objectionsTo } from "../../core/rules/possible.ts";
import { type FieldSchema, memberOf } from "../../core/schema/field-schema.ts";
import { openOverHidden } from "../../core/secrets/index.ts";
import { camelCase, camelSchema } from "./casing.ts";
import { RefusedError } from "./errors.ts";

/** A planned change of a resource. */
export interface Intention {
  how: "create" | "clone" | "update";
  /** The present fields of the resource, or of the source of a clone; absent when they are not known. */
  current: Fields | undefined;
  /** The fields that are overlaid on them. */
  stated: Fields;
}

/** The objections of the schema and the kind, in the terms of a program. */
export function objections(kind: Kind, intention: Intention): string[] {
  return objectionsAt(kind, intention).map(({ reason }) => reason);
}

/** The same, each with the member of the program that it is about. */
export function objectionsAt(
  kind: Kind,
  { how, current, stated }: Intention,
): { member: string; reason: string }[] {
  const wanted = overlay(kind.fields, current, stated);
  const open = openOverHidden(kind.fields, stated, current ?? {}).map((path) => ({
    member: showMembers(path),
    reason: `${showMembers(path)}: it is a secret already, and writing the value would overwrite it; state secret: true or secret: false beside it`,
  }));
  const objecting = objectionsTo(kind, { how, current, wanted }).map(
    ({ path, message, isMissing, oneOf }) => {
      const member = showMembers(path);
      const what = oneOf ? `needs ${oneOf.map(camelCase).join(" or ")}` : message;
      const help = isMissing && !oneOf ? helpWith(camelSchema(schemaAt(kind.fields, path))) : "";
      return { member, reason: `${member}${isMissing ? "" : ":"} ${what}${help}` };
    },
  );
  return [...open, ...objecting];
}

/** The choices for a missing member, if there are any, and the purpose of the member. */
function helpWith({ enum: words, description = "" }: FieldSchema): string {
  if (!words) return "";
  const values = words.map((word) => JSON.stringify(word)).join(", ");
  return `: ${values} (${description.replace(/\.$/, "")})`;
}

function schemaAt(schema: FieldSchema, path: readonly string[]): FieldSchema {
  return path.reduce<FieldSchema>(
    (at, part) => (part.startsWith("[") ? (at.items ?? {}) : (memberOf(at, part) ?? {})),
    schema,
  );
}

/** The fields that differ but cannot be changed, with the reasons. */
export function immovable(kind: Kind, current: Fields, stated: Fields): string[] {
  return explainFixed(fixedAmong(changesTo(kind, current, stated)));
}

/** The fields in which a clone differs from its source but cannot, with the reasons. */
export function immovableInClone(kind: Kind, source: Fields, stated: Fields): string[] {
  return explainFixed(fixedInClone(kind, changesTo(kind, source, stated)));
}

function changesTo(kind: Kind, current: Fields, stated: Fields): FieldChange[] {
  return compare(kind.fields, current, overlay(kind.fields, current, stated));
}

function explainFixed(changes: readonly Fixed[]): string[] {
  return changes.map(({ path, replaces }) => `${showMembers(path)} differs: ${replaces}`);
}

/** Throws when there is a reason against the change. */
export function refuse(what: string, reasons: string[]): void {
  if (reasons.length > 0) throw new RefusedError(`${what}${reasons.join("\n")}`);
}

/** A path in the form of a program: `source.image.imageName`. */
export function showMembers(path: readonly string[]): string {
  return formatPath(path.map((part) => (part.startsWith("[") ? part : camelCase(part))));
}
