#!/usr/bin/env node
import { refusalOfNode } from "../../core/files/old-node.ts";

// An old Node has to read this file, and nothing else: it would end with a SyntaxError elsewhere.
const refusal = refusalOfNode(process.versions);
if (refusal !== undefined) {
  process.stderr.write(refusal);
  process.exit(3);
}
const { runPlugin } = await import("./process.ts");
await runPlugin();
