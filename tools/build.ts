// npm run build: compiles and bundles the package into dist/, if dist/ is older than what it is made of.
import { chmod, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import path from "node:path";
import { bundlePackage } from "./bundle.ts";
import { compileLibrary } from "./compile.ts";

const checkout = path.join(import.meta.dirname, "..");

/** The folder of the compiled package. */
export const dist = path.join(checkout, "dist");

/** What dist/ is made of: folders of sources, the tools that build it, and the versions of the packages in its bundles. */
const ingredients = [
  "core",
  "cli",
  "forge",
  "git",
  "reconciler",
  "web",
  "provider",
  "emulator",
  "schemas",
  "tools/build.ts",
  "tools/bundle.ts",
  "tools/compile.ts",
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  "tsconfig.build.json",
].map((name) => path.join(checkout, name));

/** Brings dist/ up to date. */
export async function build(): Promise<void> {
  if (await isNewer(dist, ingredients)) return;
  const folder = path.join(checkout, ".cache", `dist-${process.pid}`);
  try {
    await compileLibrary(folder);
    await bundlePackage(folder);
    // npm does so when it installs the package.
    for (const program of ["cli", "provider/plugin"])
      await chmod(path.join(folder, program, "main.js"), 0o755);
    await rm(dist, { recursive: true, force: true });
    await rename(folder, dist);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const now = new Date();
  await utimes(dist, now, now);
}

/**
 * Whether a folder is newer than all files that it is made of.
 *
 * @param sources files, and folders with all that is below them
 */
export async function isNewer(folder: string, sources: readonly string[]): Promise<boolean> {
  const built = await stat(folder).catch(() => undefined);
  if (!built) return false;
  const files = await Promise.all(
    sources.map(async (source) =>
      // The time of a folder tells of files that are gone.
      (await stat(source)).isDirectory() ? [source, ...(await below(source))] : [source],
    ),
  );
  const times = await Promise.all(files.flat().map(async (file) => (await stat(file)).mtimeMs));
  return times.every((time) => time < built.mtimeMs);
}

async function below(folder: string): Promise<string[]> {
  return (await readdir(folder, { recursive: true })).map((name) => path.join(folder, name));
}

if (import.meta.main) await build();
