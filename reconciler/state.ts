import { mkdir, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { writeWhole } from "../core/files.ts";
import { isFields, textIn } from "../core/json.ts";

/** The commit that was carried out last, and its folder of manifests. */
export interface AppliedCommit {
  commit: string;
  tree: string;
}

/** Reads the commit that was carried out last. State that is missing or damaged is only forgotten. */
export async function readApplied(file: string): Promise<AppliedCommit | undefined> {
  try {
    const content: unknown = JSON.parse(await readFile(file, "utf8"));
    const applied = isFields(content) ? content["applied"] : undefined;
    if (!isFields(applied)) return undefined;
    const commit = textIn(applied, "commit");
    const tree = textIn(applied, "tree");
    const isId = (text: string | undefined): text is string => /^[0-9a-f]{40,64}$/.test(text ?? "");
    return isId(commit) && isId(tree) ? { commit, tree } : undefined;
  } catch {
    return undefined;
  }
}

/** Remembers the commit that was carried out last. */
export async function writeApplied(file: string, applied: AppliedCommit): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeWhole(file, `${JSON.stringify({ version: 1, applied })}\n`);
}
