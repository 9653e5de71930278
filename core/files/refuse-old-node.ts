import { refusalOfNode } from "./old-node.ts";

// The library imports this file first: an old Node would end elsewhere, with an error that names no version.
const refusal = refusalOfNode(process.versions);
if (refusal !== undefined) throw new Error(refusal.trimEnd());
