import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { makeFolder, writeWhole } from "../../core/files.ts";
import { isFields, type Json } from "../../core/json.ts";
import type { SpentInWindow } from "./window.ts";

/** The spent requests of a process, by share. */
export interface SpentShares {
  looking: SpentInWindow;
  applying: SpentInWindow;
}

/** Reads what an earlier process has spent; undefined if unknown. */
export async function readSpending(file: string): Promise<SpentShares | undefined> {
  try {
    const content: unknown = JSON.parse(await readFile(file, "utf8"));
    const [looking, applying] = isFields(content)
      ? [spentIn(content["looking"]), spentIn(content["applying"])]
      : [];
    return looking && applying && { looking, applying };
  } catch {
    return undefined;
  }
}

function spentIn(value: Json | undefined): SpentInWindow | undefined {
  const { end, spent } = isFields(value) ? value : {};
  return typeof end === "number" && typeof spent === "number" ? { end, spent } : undefined;
}

export async function writeSpending(file: string, spent: SpentShares): Promise<void> {
  await makeFolder(dirname(file));
  await writeWhole(file, `${JSON.stringify({ version: 1, ...spent })}\n`);
}
