// Compiles the library. As a script (the first half of `npm run build`): `node tools/compile.ts FOLDER`.
import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";

const checkout = path.join(import.meta.dirname, "..");

/**
 * Writes the compiled library into a folder: modules without comments, which only make the package larger, and type declarations with
 * them, which editors show. Types are checked by `npm run typecheck`.
 *
 * @param options `hasTypes`: with type declarations, which take as long as the modules
 */
export async function compileLibrary(folder: string, { hasTypes }: { hasTypes: boolean }): Promise<void> {
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
  if (hasTypes) await run("--emitDeclarationOnly");
}

if (import.meta.main) await compileLibrary(path.resolve(process.argv[2] ?? ""), { hasTypes: true });
