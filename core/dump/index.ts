export { type Dump, dump, dumpCost, type DumpedDocument, type DumpOptions, linksAsStated } from "./dump.ts";
export { findLive } from "./find.ts";
export { toStated, toWhole } from "./stated.ts";
