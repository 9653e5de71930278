/**
 * npm run plugin: writes dist-plugin/pulumi-resource-infrasync-vVERSION.tar.gz, which Pulumi installs without npm:
 * `pulumi plugin install resource infrasync VERSION --file ARCHIVE`. It starts with any Node that the package supports.
 */
import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { bundle, plugin } from "./bundle.ts";

const checkout = path.join(import.meta.dirname, "..");

/** The program that Pulumi starts. `exec`: when Pulumi ends it, Node ends. */
const script = `#!/bin/sh
exec node "$(dirname "$0")/main.js" "$@"
`;

const windowsScript = `@node "%~dp0\\main.js" %*\r\n`;

/**
 * Writes the archive of the plugin.
 *
 * @param folder of the archive; created when absent
 * @returns the file and the version of the package
 */
export async function writePluginArchive(folder: string): Promise<{ file: string; version: string }> {
  const { version, license } = JSON.parse(await readFile(path.join(checkout, "package.json"), "utf8")) as {
    version: string;
    license: string;
  };
  const content = await mkdtemp(path.join(tmpdir(), "infrasync-plugin-"));
  try {
    await bundle(plugin, content, { form: "small" });
    const own = {
      name: "infrasync",
      version,
      license,
      type: "module",
      exports: { "./package.json": "./package.json" },
    };
    await writeFile(path.join(content, "package.json"), `${JSON.stringify(own, null, 2)}\n`);
    await writeFile(path.join(content, "pulumi-resource-infrasync"), script);
    await chmod(path.join(content, "pulumi-resource-infrasync"), 0o755);
    await writeFile(path.join(content, "pulumi-resource-infrasync.cmd"), windowsScript);
    await mkdir(folder, { recursive: true });
    const file = path.join(folder, `pulumi-resource-infrasync-v${version}.tar.gz`);
    await promisify(execFile)("tar", ["-czf", file, "-C", content, "."]);
    return { file, version };
  } finally {
    await rm(content, { recursive: true });
  }
}

if (import.meta.main) console.log((await writePluginArchive(path.join(checkout, "dist-plugin"))).file);
