import { execFile } from "node:child_process";
import { cp, mkdtempDisposable, readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import ts from "typescript";

const checkout = path.join(import.meta.dirname, "..");

/** The modules that programs of users import, and that are not bundled. */
const modules = ["core/index", "provider/index"];

const typed = [...modules, "provider/lifecycle/calls", "emulator/index"];

/** Writes the library that programs reach: modules without comments, and type declarations with them. */
export async function compileLibrary(folder: string): Promise<void> {
  await using temporary = await mkdtempDisposable(path.join(checkout, ".cache", "library-"));
  const all = temporary.path;
  await Promise.all([
    compile(all, "--declaration", "false", "--removeComments"),
    compile(all, "--emitDeclarationOnly"),
  ]);
  // The compiler omits files that are no TypeScript.
  for (const module of ["manifest", "settings"]) {
    const checks = path.join("core", "manifests", module, "checks");
    await cp(path.join(checkout, checks), path.join(all, checks), {
      recursive: true,
      filter: (name) => !name.endsWith(".ts"),
    });
  }
  const files = [
    ...(await reachable(
      modules.map((name) => path.join(all, `${name}.js`)),
      ".js",
    )),
    ...(await reachable(
      typed.map((name) => path.join(all, `${name}.d.ts`)),
      ".d.ts",
    )),
  ];
  for (const file of files) await cp(file, path.join(folder, path.relative(all, file)));
}

async function compile(folder: string, ...options: string[]): Promise<void> {
  const compiler = path.join(checkout, "node_modules", "typescript7", "bin", "tsc");
  const project = path.join(checkout, "tsconfig.build.json");
  const args = [compiler, "--project", project, "--noCheck", "--outDir", folder, ...options];
  await promisify(execFile)(process.execPath, args);
}

/** These files with all direct and indirect imports. @param ending of the files of modules, such as `.d.ts` */
async function reachable(files: readonly string[], ending: ".js" | ".d.ts"): Promise<Set<string>> {
  const found = new Set<string>();
  const waiting = [...files];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (found.has(file)) continue;
    found.add(file);
    for (const name of importsIn(await readFile(file, "utf8")))
      if (name.startsWith("."))
        waiting.push(path.join(path.dirname(file), name.replace(/(?:\.d)?\.[jt]s$/, ending)));
  }
  return found;
}

export function importsIn(text: string): string[] {
  return ts.preProcessFile(text).importedFiles.map(({ fileName }) => fileName);
}
