import { execFileSync } from "node:child_process";

/** The commit of a checkout, short; with `-dirty` for changed files. */
export function commitOf(checkout: string): string {
  return execFileSync("git", ["describe", "--always", "--dirty", "--abbrev=12"], {
    cwd: checkout,
    encoding: "utf8",
  }).trim();
}

/** The commit of a checkout, or the one given to the build; undefined for sources without a checkout. */
export function knownCommitOf(checkout: string): string | undefined {
  const reported = process.env["COMMIT"];
  if (reported) return reported.slice(0, 12);
  try {
    return commitOf(checkout);
  } catch {
    return undefined;
  }
}
