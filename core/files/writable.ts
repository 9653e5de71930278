import { constants, existsSync } from "node:fs";
import { access } from "node:fs/promises";
import { dirname } from "node:path";
import { statFile } from "./files.ts";
import { InvalidInputError, type Problem } from "../problems/problem.ts";

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
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    return (
      obstacles(folder)[code] ?? {
        code: "unwritable",
        message: `nothing can be written to the folder ${folder} (${code})`,
        advice: "name another folder",
      }
    );
  }
}

const obstacles = (folder: string): Record<string, Problem> => ({
  ENOENT: {
    code: "unwritable",
    message: `there is no folder ${folder}`,
    advice: "create it first, or name another folder",
  },
  ENOTDIR: {
    code: "unwritable",
    message: `${folder} is not a folder`,
    advice: "name a folder, or a file in one",
  },
  EACCES: {
    code: "unwritable",
    message: `the folder ${folder} is not writable by this user`,
    advice: "change its permissions, or name another folder",
  },
});
