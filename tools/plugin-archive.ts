/**
 * npm run plugin [-- --node FILE --target SYSTEM-PROCESSOR]: writes Pulumi's plugin as one executable, in an archive
 * with the name that Pulumi requests, into dist-plugin/; see `npm run build:binary`.
 */
import { execFile } from "node:child_process";
import { mkdir, mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import own from "../package.json" with { type: "json" };
import { licencesOf } from "./bill-of-materials.ts";
import { pluginBinary } from "./bundle.ts";
import { buildExecutable, ownTarget, type Target, targetRequested } from "./executable.ts";

const checkout = path.join(import.meta.dirname, "..");

/** The names of Pulumi for systems and processors that Node names otherwise. */
const pulumiNames: Record<string, string> = { win32: "windows", x64: "amd64" };

/** Writes the archive of the plugin, and returns its name and version. */
export async function writePluginArchive(
  folder: string,
  target: Target = ownTarget,
): Promise<{ file: string; version: string }> {
  const machine = target.target
    .split("-")
    .map((word) => pulumiNames[word] ?? word)
    .join("-");
  await using content = await mkdtempDisposable(path.join(tmpdir(), "infrasync-plugin-"));
  const program = `pulumi-resource-infrasync${machine.startsWith("windows") ? ".exe" : ""}`;
  const packages = await buildExecutable(path.join(content.path, program), pluginBinary, target);
  await writeFile(path.join(content.path, "LICENSES.txt"), licencesOf(packages));
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, `pulumi-resource-infrasync-v${own.version}-${machine}.tar.gz`);
  await promisify(execFile)("tar", ["-czf", file, "-C", content.path, "."]);
  return { file, version: own.version };
}

if (import.meta.main) {
  const target = targetRequested("plugin", process.argv.slice(2));
  console.log((await writePluginArchive(path.join(checkout, "dist-plugin"), target)).file);
}
