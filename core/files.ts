import { stat } from "node:fs/promises";
import writeFileAtomic from "write-file-atomic";
import { InvalidInputError } from "./problem.ts";

/**
 * Writes a file under a temporary name, syncs and renames it, so that a failure leaves the old one.
 *
 * @param mode permissions of the file; those of the old one when left out
 * @throws InvalidInputError when something else than a file has that name: it would be replaced
 */
export async function writeWhole(file: string, text: string, mode?: number): Promise<void> {
  await refuseOther(file);
  await writeFileAtomic(file, text, mode === undefined ? {} : { mode });
}

async function refuseOther(file: string): Promise<void> {
  const advice = "name a file, or one that does not exist yet";
  if (file === "")
    throw new InvalidInputError([{ message: "the name of the file to write is empty", advice }]);
  try {
    if ((await stat(file)).isFile()) return;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return;
    throw error;
  }
  throw new InvalidInputError([
    { message: `${file} is no regular file, so nothing is written to it`, advice },
  ]);
}
