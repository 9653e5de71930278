import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import writeFileAtomic from "write-file-atomic";
import { parseReference } from "../core/address.ts";
import type { DumpedDocument } from "../core/dump.ts";
import { kindsInside } from "../core/kinds/index.ts";
import { manifestsText } from "./manifests-text.ts";

/**
 * Writes manifests to a file when the name ends like one, else to a folder, each to a file of its own. Gives the
 * names of the files. A failure leaves the old ones.
 */
export async function writeManifests(out: string, documents: readonly DumpedDocument[]): Promise<string[]> {
  const isFile = /\.ya?ml$/i.test(out);
  const files = isFile
    ? [{ name: out, documents }]
    : documents.map((document) => ({ name: join(out, fileName(document)), documents: [document] }));
  for (const file of files) {
    await mkdir(dirname(file.name), { recursive: true });
    await writeFileAtomic(file.name, `${manifestsText(file.documents)}\n`);
  }
  return files.map(({ name }) => name);
}

/** `shop/staging/job-migrate.yaml`; what holds others has a folder, and is described in it. */
function fileName({ kind, parent, name }: DumpedDocument): string {
  const above = parent === undefined ? [] : parseReference(parent).map(safe);
  return kindsInside(kind).length > 0
    ? join(...above, safe(name), `${kind.slug}.yaml`)
    : join(...above, `${kind.slug}-${safe(name)}.yaml`);
}

/** A name that no file system takes for something else, and that is not hidden. */
function safe(name: string): string {
  const plain = name.replaceAll(/[^\p{L}\p{N}._ -]/gu, (character) => encodeURIComponent(character));
  return plain.replace(/^\./, "%2E").replace(/^node_modules$/, "%6Eode_modules");
}
