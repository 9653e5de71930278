/**
 * npm run plugin [-- --node FILE --target SYSTEM-PROCESSOR]: writes Pulumi's plugin as one executable, in an archive
 * with the name that Pulumi requests, into dist-plugin/; see `npm run build:binary`.
 */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
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
  const { version } = JSON.parse(await readFile(path.join(checkout, "package.json"), "utf8")) as {
    version: string;
  };
  const machine = target.target
    .split("-")
    .map((word) => pulumiNames[word] ?? word)
    .join("-");
  const content = await mkdtemp(path.join(tmpdir(), "infrasync-plugin-"));
  try {
    const program = `pulumi-resource-infrasync${machine.startsWith("windows") ? ".exe" : ""}`;
    const packages = await buildExecutable(path.join(content, program), pluginBinary, target);
    await writeFile(path.join(content, "LICENSES.txt"), licencesOf(packages));
    await mkdir(folder, { recursive: true });
    const file = path.join(folder, `pulumi-resource-infrasync-v${version}-${machine}.tar.gz`);
    await promisify(execFile)("tar", ["-czf", file, "-C", content, "."]);
    return { file, version };
  } finally {
    await rm(content, { recursive: true });
  }
}

if (import.meta.main) {
  const target = targetRequested("plugin", process.argv.slice(2));
  console.log((await writePluginArchive(path.join(checkout, "dist-plugin"), target)).file);
}
