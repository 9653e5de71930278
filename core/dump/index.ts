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
export { statedValue, toStated, toWhole, wholeValue } from "./stated.ts";
