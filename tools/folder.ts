import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

const checkout = path.join(import.meta.dirname, "..");

/**
 * Writes these files into a folder and removes all others; with --check on the command line, fails instead when the folder is stale.
 *
 * @param name of the folder, in the checkout
 * @param files name -> text
 */
export function writeFolder(name: string, files: ReadonlyMap<string, string>): void {
  const folder = path.join(checkout, name);
  if (process.argv.includes("--check")) {
    const stale = staleFiles(folder, files);
    if (stale.length === 0) return;
    console.error(`stale in ${name}/: ${stale.join(", ")}; run: npm run generate`);
    process.exitCode = 1;
    return;
  }
  mkdirSync(folder, { recursive: true });
  for (const present of readdirSync(folder)) if (!files.has(present)) rmSync(path.join(folder, present));
  for (const [file, text] of files) writeFileSync(path.join(folder, file), text);
}

function staleFiles(folder: string, files: ReadonlyMap<string, string>): string[] {
  const present = readdirSync(folder);
  const changed = [...files].filter(
    ([name, text]) => !present.includes(name) || readFileSync(path.join(folder, name), "utf8") !== text,
  );
  return [...changed.map(([name]) => name), ...present.filter((name) => !files.has(name))];
}
