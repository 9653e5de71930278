#!/usr/bin/env node
import module from "node:module";
import { refusalOfNode } from "../core/old-node.ts";

// An old Node has to read this file, and nothing else: it would end with a SyntaxError elsewhere.
const refusal = refusalOfNode(process.versions.node);
if (refusal !== undefined) {
  process.stderr.write(refusal);
  process.exit(3);
}
// Caches compiled modules: everything imported below loads in two thirds of the time.
module.enableCompileCache();
const { runProcess } = await import("./process.ts");
await runProcess();
