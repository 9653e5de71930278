import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildPrograms } from "./fixtures/build-programs.ts";
import { removeFolder } from "./fixtures/remove-folder.ts";

/** Builds what tests start as processes of their own, which keep nothing in the folder of the user. */
export default async function setup(): Promise<() => Promise<void>> {
  await buildPrograms();
  const caches = await mkdtemp(join(tmpdir(), "infrasync-caches-"));
  process.env["XDG_CACHE_HOME"] = caches;
  return () => removeFolder(caches);
}
