import { withoutCredentials } from "../../redaction/credential-forms.ts";
import { withKeyedEntries } from "../../model/fields/list-entries.ts";
import { type Fields, type Json, sameJson, valueAt, withValueAt } from "../../values/json.ts";
import { manifestMembers, validateManifest } from "../../manifests/manifest/index.ts";
import { type Path, showPath } from "../../source/mistake.ts";
import type { DumpedDocument } from "./document.ts";

/** A live value that no manifest can declare, and why. */
export interface Unwritable {
  /** The member of the document: `variables.spring.datasource.url`; empty: the whole document. */
  field: string;
  why: string;
}

/** A document without the members that its validation would refuse; undefined: nothing is left. */
export function withoutRefused(document: DumpedDocument) {
  const { kind } = document;
  const leftOut: Unwritable[] = [];
  const members = manifestMembers(document) as Fields;
  let left = members;
  for (;;) {
    const [mistake] = validateManifest(left).mistakes;
    if (!mistake) break;
    const path = lowestIn(left, mistake.path);
    const [top] = path;
    const isWhole = top === undefined || top === "kind" || top === "name" || top === kind.parentMember;
    leftOut.push({ field: isWhole ? "" : showPath(path), why: withoutCredentials(mistake.message) });
    if (isWhole) return { document: undefined, leftOut };
    const next = withValueAt(left, path, undefined) as Fields;
    // A mistake of the whole document has no member to remove.
    if (sameJson(next, left)) return { document: undefined, leftOut };
    left = next;
  }
  if (left === members) return { document, leftOut };
  const { kind: _kind, name: _name, [kind.parentMember ?? "kind"]: _parent, ...fields } = left;
  return { document: { ...document, fields: withKeyedEntries(kind.fields, fields) }, leftOut };
}

/** The existing part of a path: a missing member is a mistake of its parent. */
function lowestIn(value: Json, path: Path): Path {
  const [member, ...inside] = path;
  if (member === undefined) return [];
  const next = valueAt(value, [member]);
  return next === undefined ? [] : [member, ...lowestIn(next, inside)];
}
