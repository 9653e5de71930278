import { readFile } from "node:fs/promises";
import path from "node:path";
import ts from "typescript";

/** These files with all direct and indirect imports. @param ending of the files of modules, such as `.d.ts` */
export async function reachable(files: readonly string[], ending: ".js" | ".d.ts"): Promise<Set<string>> {
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
