export { type Dump, dump, dumpCost, type DumpedDocument, linksAsStated } from "./dump.ts";
export { findLive } from "./find.ts";
export { toStated, toWhole } from "./stated.ts";
