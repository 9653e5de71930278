import { mkdir, mkdtempDisposable, realpath, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { emitPackage } from "../../tools/package.ts";
import { benchManifests, type Size } from "./manifests.ts";

/** A folder for the time of a benchmark, and the folder of the package in it. */
export interface Place {
  scratch: string;
  infrasync: string;
}

export async function withPlace<Result>(work: (place: Place) => Promise<Result>): Promise<Result> {
  await using scratch = await mkdtempDisposable(path.join(await realpath(tmpdir()), "infrasync-bench-"));
  const infrasync = path.join(scratch.path, "infrasync");
  await emitPackage(infrasync);
  return await work({ scratch: scratch.path, infrasync });
}

/** Writes manifests of that size into a new folder, and returns it. */
export async function manifestsIn(folder: string, size: Size, project?: string): Promise<string> {
  await mkdir(folder);
  for (const [file, text] of benchManifests(size, project)) await writeFile(path.join(folder, file), text);
  return folder;
}
