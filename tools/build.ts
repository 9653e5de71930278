// npm run build: compiles and bundles the package into dist/, if dist/ is older than its sources.
import { chmod, mkdir, rename, rm, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { bundlePackage } from "./bundle.ts";
import { makeChecks } from "./checks.ts";
import { compileLibrary } from "./compile.ts";
import { isNewer } from "./newer.ts";
import { sourceFolders } from "./source-folders.ts";

const checkout = path.join(import.meta.dirname, "..");

export const dist = path.join(checkout, "dist");

/** The inputs of bundles: the sources, the tools that build them, and the versions of the packages in them. */
export const ingredients = [
  ...sourceFolders,
  "tools",
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  "tsconfig.build.json",
];

/** Whether the dist/ of a checkout is newer than all of its inputs. */
export function isBuilt(folder: string): Promise<boolean> {
  return isNewer(
    path.join(folder, "dist"),
    ingredients.map((name) => path.join(folder, name)),
  );
}

export async function build(): Promise<void> {
  await makeChecks();
  if (await isBuilt(checkout)) return;
  const folder = path.join(checkout, ".cache", `dist-${process.pid}`);
  try {
    await compileLibrary(folder);
    await bundlePackage(folder);
    await writeSchemas(path.join(folder, "schemas"));
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

/** The schemas without blanks, which take half of the space. */
async function writeSchemas(folder: string): Promise<void> {
  // It loads the code that has just been made.
  const { schemaFiles } = await import("./schemas.ts");
  await mkdir(folder);
  for (const [name, schema] of schemaFiles())
    await writeFile(path.join(folder, name), JSON.stringify(schema));
}

if (import.meta.main) await build();
