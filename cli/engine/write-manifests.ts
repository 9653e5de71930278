import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseReference } from "../../core/address.ts";
import type { DumpedDocument } from "../../core/dump/index.ts";
import { ensureWritable } from "../../core/writable.ts";
import { kindsInside } from "../../core/kinds/index.ts";
import { InvalidInputError, type Problem } from "../../core/problem.ts";
import { manifestsText } from "./manifests-text.ts";
import { writeFiles } from "./write-files.ts";

const isFile = (out: string) => /\.ya?ml$/i.test(out);

/** Makes sure that manifests can be written there, before anything is read for them. @throws InvalidInputError */
export async function ensureManifestsWritable(out: string): Promise<void> {
  if (out === "")
    throw new InvalidInputError([{ message: "--out is empty", advice: "name a file or a folder" }]);
  await ensureWritable(isFile(out) ? out : join(out, "manifest.yaml"), true);
}

/**
 * Writes manifests to a file when the name ends like one, else to a folder, each to a file of its own. Gives the
 * names of the files. A failure leaves the old ones.
 *
 * @throws InvalidInputError before anything is written, when a file of that name says something else
 */
export async function writeManifests(out: string, documents: readonly DumpedDocument[]): Promise<string[]> {
  const files = (
    isFile(out)
      ? [{ name: out, documents }]
      : documents.map((document) => ({ name: join(out, fileName(document)), documents: [document] }))
  ).map((file) => ({ name: file.name, text: `${manifestsText(file.documents)}\n` }));
  const taken = (await Promise.all(files.map(takenProblem))).flat();
  if (taken.length > 0) throw new InvalidInputError(taken);
  await writeFiles(files);
  return files.map(({ name }) => name);
}

/** What somebody has written by hand is not written over. */
async function takenProblem({ name, text }: { name: string; text: string }): Promise<Problem[]> {
  try {
    if ((await readFile(name, "utf8")) === text) return [];
  } catch {
    // It is not there, or writing it will tell what is wrong with it.
    return [];
  }
  return [
    {
      message: `${name} exists and says something else`,
      advice: "name another place with --out, or delete the file",
    },
  ];
}

/** `shop/staging/job-migrate.yaml`; what holds others has a folder, and is described in it. */
function fileName({ kind, parent, name }: DumpedDocument): string {
  const above = parent === undefined ? [] : parseReference(parent).map(safe);
  return kindsInside(kind).length > 0
    ? join(...above, safe(name), `${kind.slug}.yaml`)
    : join(...above, `${kind.slug}-${safe(name)}.yaml`);
}

/** More bytes than file systems take, less what is put before and behind. */
const longest = 180;

/** A name that no file system takes for something else or finds too long, and that is not hidden. */
function safe(name: string): string {
  const plain = name.replaceAll(/[^\p{L}\p{N}._ -]/gu, (character) => encodeURIComponent(character));
  if (Buffer.byteLength(plain) > longest) {
    return `${safe(name.slice(0, 20))}-${createHash("sha256").update(name).digest("hex").slice(0, 16)}`;
  }
  return plain.replace(/^\./, "%2E").replace(/^node_modules$/, "%6Eode_modules");
}
