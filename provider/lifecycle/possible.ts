import { compare, formatPath } from "../../core/fields/compare.ts";
import { missingFields } from "../../core/fields/missing.ts";
import { overlay } from "../../core/fields/overlay.ts";
import type { Fields } from "../../core/json.ts";
import type { Kind } from "../../core/kinds/index.ts";
import { camelCase } from "./casing.ts";
import { RefusedError } from "./errors.ts";

/** What is to be made of a resource. */
export interface Intention {
  how: "create" | "clone" | "update";
  /** The fields as they are, of the resource or of the source of a clone; absent when they are not known. */
  current: Fields | undefined;
  /** What is laid over them. */
  stated: Fields;
}

/** What the schema and the kind have against it, in terms of the program. */
export function objections(kind: Kind, { how, current, stated }: Intention): string[] {
  const wanted = overlay(kind.fields, current, stated);
  const problem = kind.problem?.({ how, current, wanted });
  return [
    ...(how === "create" || current ? lacking(kind, current ?? {}, wanted) : []),
    ...(problem
      ? [`${camelCase(problem.field)}: ${problem.message.replaceAll("clone.from", "cloneFrom")}`]
      : []),
  ];
}

/** What would be missing and is not missing already. */
function lacking(kind: Kind, current: Fields, wanted: Fields): string[] {
  const isNew = Object.keys(current).length === 0;
  const already = new Set(
    isNew ? [] : missingFields(kind.fields, current).map(({ path }) => formatPath(path)),
  );
  return missingFields(kind.fields, wanted)
    .filter(({ path }) => !already.has(formatPath(path)))
    .map(({ path, message }) => `${showMembers(path)} ${message}`);
}

/** What cannot be changed and differs all the same, with the reason. */
export function immovable(
  kind: Kind,
  current: Fields,
  stated: Fields,
  carried: readonly string[] = [],
): string[] {
  return compare(kind.fields, current, overlay(kind.fields, current, stated)).flatMap(({ path, replaces }) =>
    replaces === undefined || carried.includes(path[0] ?? "")
      ? []
      : [`${showMembers(path)} differs: ${replaces}`],
  );
}

/** Throws when there is something against it. */
export function refuse(what: string, reasons: string[]): void {
  if (reasons.length > 0) throw new RefusedError(`${what}${reasons.join("\n")}`);
}

/** A path of the engine as a program has it: `source.image.imageName`. */
export function showMembers(path: readonly string[]): string {
  return formatPath(path.map((part) => (part.startsWith("[") ? part : camelCase(part))));
}
