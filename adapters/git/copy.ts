import { existsSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { RepositoryAddress } from "./address.ts";

/** The remote in the configuration of a copy. */
export function remoteSection({ url }: RepositoryAddress): string {
  const quoted = `"${url.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
  return `[remote "origin"]\n\turl = ${quoted}\n\tpromisor = true\n\tpartialCloneFilter = blob:none\n`;
}

/**
 * Removes the lock files that a git has left which was killed: with them every later call would fail. Only one reconciler
 * works with a folder, and none of its calls is under way.
 */
export async function removeLeftLocks(copy: string): Promise<void> {
  if (!existsSync(copy)) return;
  const names = await readdir(copy, { recursive: true });
  // Objects have no locks, and there are many.
  const left = names.filter((name) => name.endsWith(".lock") && !name.startsWith("objects"));
  await Promise.all(left.map((name) => rm(join(copy, name), { force: true })));
}

/** The lines that git has printed. */
export function linesOf(stdout: Buffer): string[] {
  return stdout
    .toString()
    .split("\n")
    .filter((line) => line !== "");
}
