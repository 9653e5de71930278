import { execFile } from "node:child_process";
import { cp } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";

const checkout = path.join(import.meta.dirname, "..");

/**
 * Writes the compiled library into a folder: modules without comments, which only make the package larger, and type declarations with
 * them, which editors show. Types are checked by `npm run typecheck`.
 */
export async function compileLibrary(folder: string): Promise<void> {
  const compiler = path.join(checkout, "node_modules", "typescript7", "bin", "tsc");
  const project = path.join(checkout, "tsconfig.build.json");
  const run = (...options: string[]) =>
    promisify(execFile)(process.execPath, [
      compiler,
      "--project",
      project,
      "--noCheck",
      "--outDir",
      folder,
      ...options,
    ]);
  await run("--declaration", "false", "--removeComments");
  await run("--emitDeclarationOnly");
  // The compiler leaves out what is no TypeScript.
  const checks = path.join("core", "manifest", "checks");
  await cp(path.join(checkout, checks), path.join(folder, checks), {
    recursive: true,
    filter: (name) => !name.endsWith(".ts"),
  });
}
