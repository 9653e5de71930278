import { constants, existsSync } from "node:fs";
import { access } from "node:fs/promises";
import { dirname } from "node:path";
import { statFile } from "./files.ts";
import { InvalidInputError, type Problem } from "../problems/problem.ts";
import { codeOf } from "../values/error-code.ts";

/** Checks that a file can be written before requests are spent on its content. @throws InvalidInputError */
export async function ensureWritable(file: string, makesFolders = false): Promise<void> {
  const folder = dirname(file);
  const problem = await obstacle(makesFolders ? nearestThere(folder) : folder);
  if (problem) throw new InvalidInputError([problem]);
  await statFile(file);
}

function nearestThere(folder: string): string {
  const parent = dirname(folder);
  return existsSync(folder) || parent === folder ? folder : nearestThere(parent);
}

/** Why nothing can be written to a folder. */
async function obstacle(folder: string): Promise<Problem | undefined> {
  try {
    await access(`${folder}/.`, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    const code = codeOf(error) ?? "unknown";
    const [what, advice] = obstacles[code] ?? [
      `nothing can be written to the folder %s (${code})`,
      "name another folder",
    ];
    return { code: "unwritable", message: what.replace("%s", () => folder), advice };
  }
}

/** What each error of the system means for a folder, and what helps. */
const obstacles: Record<string, readonly [what: string, advice: string]> = {
  ENOENT: ["there is no folder %s", "create it first, or name another folder"],
  ENOTDIR: ["%s is not a folder", "name a folder, or a file in one"],
  EACCES: ["the folder %s is not writable by this user", "change its permissions, or name another folder"],
};
