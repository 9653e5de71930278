import { addressKey } from "../../core/address.ts";
import type { DumpedDocument } from "../../core/import/live/index.ts";
import { parseReference } from "../../core/address.ts";
import { formatManifest, type ManifestContent } from "../../core/manifest/index.ts";

/** Documents as the text of one file. */
export function manifestsText(documents: readonly ManifestContent[]): string {
  return documents.map((document) => formatManifest(document).trimEnd()).join("\n---\n");
}

/** A key that is equal for documents of the same resource. */
export function documentKey({ kind, parent, name }: DumpedDocument): string {
  return addressKey({ kind, names: [...(parent === undefined ? [] : parseReference(parent)), name] });
}
