import { addressKey } from "../core/address.ts";
import type { DumpedDocument } from "../core/dump.ts";
import { parseReference } from "../core/address.ts";
import { formatManifest } from "../core/manifest/index.ts";

/** Documents as the text of one file. */
export function manifestsText(documents: readonly DumpedDocument[]): string {
  return documents.map((document) => formatManifest(document).trimEnd()).join("\n---\n");
}

/** A document as JSON: the same members as in YAML. */
export function manifestJson({ kind, parent, name, fields }: DumpedDocument): object {
  return {
    kind: kind.name,
    ...(kind.parentMember !== undefined && { [kind.parentMember]: parent }),
    name,
    ...fields,
  };
}

/** Equal for documents of the same resource. */
export function documentKey({ kind, parent, name }: DumpedDocument): string {
  return addressKey({ kind, names: [...(parent === undefined ? [] : parseReference(parent)), name] });
}
