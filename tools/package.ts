import { chmod, copyFile, mkdir, symlink } from "node:fs/promises";
import path from "node:path";
import { bundlePackage } from "./bundle.ts";
import { compileLibrary } from "./compile.ts";

const checkout = path.join(import.meta.dirname, "..");

/**
 * Creates the package in a folder as a program would find it in its `node_modules`: compiled from the current checkout, whatever `dist/`
 * contains, with the dependencies of the checkout. It has no type declarations, because they take long to compile.
 */
export async function emitPackage(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await compileLibrary(path.join(folder, "dist"), { hasTypes: false });
  await bundlePackage(path.join(folder, "dist"));
  // npm does so when it installs the package.
  for (const program of ["cli", "provider/plugin"])
    await chmod(path.join(folder, "dist", program, "main.js"), 0o755);
  await copyFile(path.join(checkout, "package.json"), path.join(folder, "package.json"));
  await symlink(path.join(checkout, "node_modules"), path.join(folder, "node_modules"), "dir");
}
