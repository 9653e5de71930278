#!/usr/bin/env node
import module from "node:module";

// An old Node has to read this file, and nothing else: it would end with a SyntaxError elsewhere.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 12)) {
  process.stderr.write(
    `infrasync needs Node 22.12 or newer, and this is Node ${process.versions.node}: install a newer one from https://nodejs.org\n`,
  );
  process.exit(3);
}
// Caches compiled modules: everything imported below loads in two thirds of the time.
module.enableCompileCache();
await import("./process.ts");
