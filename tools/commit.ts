import { execFileSync } from "node:child_process";

/** The commit of a checkout, short; with `-dirty` where files have changed since. */
export function commitOf(checkout: string): string {
  return execFileSync("git", ["describe", "--always", "--dirty", "--abbrev=12"], {
    cwd: checkout,
    encoding: "utf8",
  }).trim();
}
