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
      message: `${name} already exists with other content`,
      advice: "choose another path with --out, or delete the file",
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
  const characters = [...name].map(plain);
  const whole = characters.join("");
  const short = Buffer.byteLength(whole) > longest ? `${beginning(characters)}-${hash(name)}` : whole;
  return short.replace(/^\./, "%2E").replace(/^node_modules$/, "%6Eode_modules");
}

/** A letter, a digit and the like as it is, anything else as in a URL; a character that is only half there as �. */
function plain(character: string): string {
  return /^[\p{L}\p{N}._ -]$/u.test(character) ? character : encodeURIComponent(character.toWellFormed());
}

function hash(name: string): string {
  return createHash("sha256").update(name).digest("hex").slice(0, 16);
}

/** The first characters, as many as leave room for a hash behind them. */
function beginning(characters: readonly string[]): string {
  const bytes = (count: number) => Buffer.byteLength(characters.slice(0, count).join(""));
  let count = 20;
  while (bytes(count) > longest - 20) count -= 1;
  return characters.slice(0, count).join("");
}
