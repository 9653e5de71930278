import { isFields, type Json } from "../../values/json.ts";
import { declaredParts } from "../../model/parts/index.ts";
import type { DumpedDocument } from "./document.ts";

/** A text of a document that contains something of a live resource, which a copy elsewhere would not have. */
export interface Mention {
  path: readonly string[];
  /** The resource: `database:shop/staging/orders`. */
  of: string;
}

/** A whole id anywhere, or the beginning of one as a word, with which hosts begin. */
const idInText = /([0-9a-f]{8})(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?<![0-9a-z])z?([0-9a-f]{8})(?![0-9a-f])/gi;

/** The texts of a document with a host or an id of a live resource; `named`: by the first eight characters of the ids. */
export function mentionsIn({ kind, fields }: DumpedDocument, named: ReadonlyMap<string, string>): Mention[] {
  const found: Mention[] = [];
  const visit = (value: Json, path: readonly string[]): void => {
    if (Array.isArray(value)) value.forEach((inner, index) => visit(inner, [...path, String(index)]));
    else if (isFields(value))
      for (const [member, inner] of Object.entries(value)) visit(inner, [...path, member]);
    else if (typeof value === "string") {
      for (const [, ofId, start = ofId] of value.matchAll(idInText)) {
        const of = named.get((start ?? "").toLowerCase());
        if (of !== undefined) found.push({ path, of });
      }
    }
  };
  const parts = new Map(declaredParts(kind).map((part) => [part.member, part]));
  for (const [member, value] of Object.entries(fields))
    // Aliases name variables of the platform, whose keys contain ids.
    for (const [key, inner] of parts.has(member) && isFields(value)
      ? Object.entries(value)
      : [["", value] as const])
      if (!isFields(inner) || inner["alias_of"] === undefined)
        visit(inner, key === "" ? [member] : [member, key]);
  return found;
}
