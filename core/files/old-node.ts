// The programs import this file before everything else, and an old Node has to be able to load it.

/** The message of a program for a Node that is too old, or only looks like one; undefined for others. */
export function refusalOfNode({
  node: version = "",
  deno,
}: Readonly<Record<string, string | undefined>>): string | undefined {
  if (deno !== undefined)
    return `infrasync needs Node 22.12 or newer, and this is Deno ${deno}: run it with Node\n`;
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > 22 || (major === 22 && minor >= 12)
    ? undefined
    : `infrasync needs Node 22.12 or newer, and this is Node ${version}: install a newer one from https://nodejs.org\n`;
}
