import { isFields, type Json, textIn } from "../../values/json.ts";
import { omitted, type Problem } from "../../problems/problem.ts";
import type { TextPlace } from "../../source/stand-ins.ts";
import type { ManifestDocument } from "./document.ts";
import { type Mistake, type Path, showPath } from "../../source/mistake.ts";
import { validateManifest } from "./validate.ts";

/** Checks manifests that are values of a program; the line of a problem is the number of its document. */
export function manifestsOf(
  values: readonly Json[],
  name: string,
  place: TextPlace = "document",
): { documents: ManifestDocument[]; problems: Problem[] } {
  const documents: ManifestDocument[] = [];
  const problems: Problem[] = [];
  for (const [index, value] of values.entries()) {
    const position = { file: name, line: index + 1, column: 1, text: nameOf(value) };
    const strange = notPlain(value, []);
    if (strange) {
      problems.push({ code: "invalid", ...strange, position });
      continue;
    }
    const { manifest, mistakes, omitted: count, address } = validateManifest(value, place);
    if (manifest) documents.push({ ...manifest, position: () => position });
    const about = { position, ...(address !== undefined && { address }) };
    for (const { message, advice, remedies } of mistakes)
      problems.push({ code: "invalid", message, advice, remedies, ...about });
    if (count > 0) problems.push({ ...omitted({ count, isAtLeast: false }, " in this document"), ...about });
  }
  return { documents, problems };
}

/** The mistake of an object that is no mapping, such as a Map: its contents would be ignored. */
function notPlain(value: unknown, path: Path): Mistake | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const prototype: unknown = Object.getPrototypeOf(value);
  const of = value.constructor as { name?: string } | undefined;
  if (!Array.isArray(value) && prototype !== Object.prototype && prototype !== null)
    return {
      message: `${showPath(path)} is a ${of?.name ?? "object of an unknown class"}, and its content would be ignored`,
      advice:
        value instanceof Map
          ? "write an object: Object.fromEntries(map)"
          : "write a text, a number or an object",
    };
  for (const [member, inner] of Object.entries(value)) {
    const found = notPlain(inner, [...path, Array.isArray(value) ? Number(member) : member]);
    if (found) return found;
  }
  return undefined;
}

function nameOf(value: Json): string {
  return isFields(value) ? `kind: ${textIn(value, "kind") ?? ""}, name: ${textIn(value, "name") ?? ""}` : "";
}
