import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

const checkout = path.join(import.meta.dirname, "..");

/** Writes a generated file of the checkout; with --check, fails when it is stale: `what` names its stale part. */
export function writeGenerated(name: string, text: string, what = name): void {
  if (!process.argv.includes("--check")) replaceFile(name, text);
  else if (present(name) !== text) reportStale(what);
}

/** Writes generated files (name -> text) into a folder and removes all others; with --check, fails when one is stale. */
export function writeFolder(name: string, files: ReadonlyMap<string, string>): void {
  mkdirSync(path.join(checkout, name), { recursive: true });
  for (const other of readdirSync(path.join(checkout, name)).filter((file) => !files.has(file))) {
    if (process.argv.includes("--check")) reportStale(`${name}/${other}`);
    else rmSync(path.join(checkout, name, other));
  }
  for (const [file, text] of files) writeGenerated(`${name}/${file}`, text);
}

/** Writes a file of the checkout, unless it has this text, so that its dependents stay up to date. */
export function replaceFile(name: string, text: string): void {
  if (present(name) === text) return;
  const file = path.join(checkout, name);
  // Another process may be reading it.
  const incomplete = `${file}.${process.pid}`;
  writeFileSync(incomplete, text);
  renameSync(incomplete, file);
}

function present(name: string): string | undefined {
  const file = path.join(checkout, name);
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

function reportStale(what: string): void {
  console.error(`stale: ${what}; run: npm run generate`);
  process.exitCode = 1;
}
