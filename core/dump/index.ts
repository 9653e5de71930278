export {
  type Dump,
  documented,
  dump,
  dumpCost,
  type DumpedDocument,
  type DumpOptions,
  linksAsStated,
} from "./dump.ts";
export { findLive } from "./find.ts";
export { toStated, toWhole } from "./stated.ts";
