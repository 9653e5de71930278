// The programs import this file before everything else, and an old Node has to be able to load it.

/** What a program says to a Node that is too old for it; undefined where it is not. */
export function refusalOfNode(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > 22 || (major === 22 && minor >= 12)
    ? undefined
    : `infrasync needs Node 22.12 or newer, and this is Node ${version}: install a newer one from https://nodejs.org\n`;
}
