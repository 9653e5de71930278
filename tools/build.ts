// npm run build: writes the schemas that are made from others, and compiles and bundles the package into dist/, if dist/ is older than what
// it is made of.
import { chmod, rename, rm, utimes } from "node:fs/promises";
import path from "node:path";
import { bundlePackage } from "./bundle.ts";
import { makeChecks } from "./checks.ts";
import { compileLibrary } from "./compile.ts";
import { isNewer } from "./newer.ts";

const checkout = path.join(import.meta.dirname, "..");

/** The folder of the compiled package. */
export const dist = path.join(checkout, "dist");

/** The sources of dist/: folders of sources, the tools that build it, and the versions of the packages in its bundles. */
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
  await makeChecks();
  if (await isNewer(dist, ingredients)) return;
  const { buildSchemas } = await import("./schemas.ts");
  buildSchemas();
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

if (import.meta.main) await build();
