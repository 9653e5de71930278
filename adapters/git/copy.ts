import type { RepositoryAddress } from "./address.ts";

export function remoteSection({ url }: RepositoryAddress): string {
  const quoted = `"${url.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
  return `[remote "origin"]\n\turl = ${quoted}\n\tpromisor = true\n\tpartialCloneFilter = blob:none\n`;
}

export function linesOf(stdout: Buffer): string[] {
  return stdout
    .toString()
    .split("\n")
    .filter((line) => line !== "");
}
