export { type Dump, dump, dumpCost, type DumpedDocument } from "./dump.ts";
export { findLive } from "./find.ts";
export { toStated } from "./stated.ts";
