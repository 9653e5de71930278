import { execFile } from "node:child_process";
import { chmod, copyFile, mkdir, symlink } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { bundlePackage } from "./bundle.ts";

const checkout = path.join(import.meta.dirname, "..");

/**
 * Creates the package in a folder as a program would find it in its `node_modules`: compiled from the current checkout, whatever `dist/`
 * contains, with the dependencies of the checkout. It has no type declarations, because they take long to compile.
 */
export async function emitPackage(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const compiler = path.join(checkout, "node_modules", "typescript", "bin", "tsc");
  const project = path.join(checkout, "tsconfig.build.json");
  const options = ["--noCheck", "--declaration", "false", "--outDir", path.join(folder, "dist")];
  await promisify(execFile)(process.execPath, [compiler, "--project", project, ...options]);
  await bundlePackage(path.join(folder, "dist"));
  // npm does so when it installs the package.
  for (const program of ["cli", "provider/plugin"])
    await chmod(path.join(folder, "dist", program, "main.js"), 0o755);
  await copyFile(path.join(checkout, "package.json"), path.join(folder, "package.json"));
  await symlink(path.join(checkout, "node_modules"), path.join(folder, "node_modules"), "dir");
}
