// The emulator imports this file first: an old Node would end elsewhere, with an error that names no version.
const { node } = process.versions;
const [major = 0, minor = 0] = node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 12))
  throw new Error(`the emulator of infrasync needs Node 22.12 or newer, and this is Node ${node}`);
