import { dirname, join, relative, resolve } from "node:path";
import { makeFolder, writeWhole } from "../../core/files/files.ts";
import { ensureWritable } from "../../core/files/writable.ts";
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { parseReference, addressKey } from "../../core/model/addresses/address.ts";
import type { DumpedDocument } from "../../core/import/live/index.ts";
import { kindsInside } from "../../core/model/kinds/index.ts";
import { InvalidInputError, type Problem } from "../../core/problems/problem.ts";
import { formatManifest, type ManifestContent } from "../../core/manifests/manifest/index.ts";

/** Writes files and their folders; if one file is not writable, none. */
export async function writeFiles(files: readonly { name: string; text: string }[]): Promise<void> {
  for (const { name } of files) await ensureWritable(name, true);
  for (const { name, text } of files) {
    await makeFolder(dirname(name));
    await writeWhole(name, text);
  }
}

const isFile = (out: string) => /\.ya?ml$/i.test(out);

/** Checks that manifests can be written to a path, before requests are spent on them. @throws InvalidInputError */
export async function ensureManifestsWritable(out: string): Promise<void> {
  await ensureWritable(isFile(out) ? out : join(out, "manifest.yaml"), true);
}

/** Writes manifests to `out`, a file if it ends in .yaml or .yml, otherwise a folder. A failure leaves the old files. */
export async function writeManifests(out: string, documents: readonly DumpedDocument[]): Promise<string[]> {
  const files = manifestFiles(out, documents);
  const taken: Problem[] = [];
  for (const file of files) taken.push(...(await takenProblem(file)));
  if (taken.length > 0) throw new InvalidInputError(taken);
  await writeFiles(files);
  return files.map(({ name }) => name);
}

/** A file to write. Its text is made when somebody asks for it: those of all files would take much memory. */
export interface FileToWrite {
  name: string;
  readonly text: string;
}

/** The files of manifests: one when `out` ends in .yaml or .yml, otherwise one for each document in the folder. */
export function manifestFiles(out: string, documents: readonly DumpedDocument[]): FileToWrite[] {
  const files = isFile(out)
    ? [{ name: out, documents }]
    : documents.map((document) => ({ name: join(out, fileName(document)), documents: [document] }));
  return files.map((file) => ({
    name: file.name,
    get text() {
      return `${editorLine(file.name)}${manifestsText(file.documents)}\n`;
    },
  }));
}

const schemaFile = join(".schemas", "manifest.schema.json");

/** The line that tells an editor the schema, if the folder of a file or one above it has the schema. */
function editorLine(file: string): string {
  for (let folder = resolve(dirname(file)); ; folder = dirname(folder)) {
    const schema = join(folder, schemaFile);
    if (existsSync(schema))
      return `# yaml-language-server: $schema=${relative(resolve(dirname(file)), schema).replaceAll("\\", "/")}\n`;
    if (folder === dirname(folder) || existsSync(join(folder, ".git"))) return "";
  }
}

/** The problem of a file that would be overwritten, because somebody may have edited it. */
async function takenProblem(file: FileToWrite): Promise<Problem[]> {
  const { name } = file;
  try {
    const there = await readFile(name, "utf8");
    if (there === file.text) return [];
  } catch {
    // The file does not exist, or writing it will fail with a clear error.
    return [];
  }
  return [
    {
      code: "exists",
      message: `${name} already exists with other content`,
      advice: "choose another path with --out, or delete the file",
    },
  ];
}

/** `shop/staging/job-migrate.yaml`. A project or environment is a file in its own folder: `shop/project.yaml`. */
function fileName({ kind, parent, name }: DumpedDocument): string {
  const folders = parent === undefined ? [] : parseReference(parent).map(safe);
  return kindsInside(kind).length > 0 && folders.length < 2
    ? join(...folders, safe(name), `${kind.slug}.yaml`)
    : join(...folders, `${kind.slug}-${safe(name)}.yaml`);
}

/** The longest name in bytes; file systems allow 255, and a kind and an ending are added. */
const longest = 180;

/** A file name that is valid on all file systems, not too long and not hidden. */
function safe(name: string): string {
  const characters = [...name].map(plain);
  const whole = characters.join("");
  const short = Buffer.byteLength(whole) > longest ? `${beginning(characters)}-${hash(name)}` : whole;
  return short.replace(/^\./, "%2E").replace(/^node_modules$/, "%6Eode_modules");
}

/** Letters, digits and a few signs stay; other characters are encoded as in a URL, a lone surrogate as �. */
function plain(character: string): string {
  return /^[\p{L}\p{N}._ -]$/u.test(character) ? character : encodeURIComponent(character.toWellFormed());
}

function hash(name: string): string {
  return createHash("sha256").update(name).digest("hex").slice(0, 16);
}

/** The first characters of a name, few enough to leave room for a hash. */
function beginning(characters: readonly string[]): string {
  const bytes = (count: number) => Buffer.byteLength(characters.slice(0, count).join(""));
  let count = 20;
  while (bytes(count) > longest - 20) count -= 1;
  return characters.slice(0, count).join("");
}

export function manifestsText(documents: readonly ManifestContent[]): string {
  return [...manifestTexts(documents)].join("\n");
}

/** The same, document by document: a line feed belongs between two of them. */
export function* manifestTexts(documents: readonly ManifestContent[]): Generator<string> {
  for (const [index, document] of documents.entries())
    yield `${index === 0 ? "" : "---\n"}${formatManifest(document).trimEnd()}`;
}

/** A key that is equal for documents of the same resource. */
export function documentKey({ kind, parent, name }: DumpedDocument): string {
  return addressKey({ kind, names: [...(parent === undefined ? [] : parseReference(parent)), name] });
}
