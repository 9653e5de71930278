export {
  documented,
  type DumpedDocument,
  type DumpOptions,
  sourceOfSecret,
  sourcesFor,
  withBelongings,
} from "./document.ts";
export { type Dump, dump, dumpCost, type LeftOut } from "./dump.ts";
export { withSecretsInPlace } from "./supplied.ts";
export { withoutRefused } from "./writable.ts";
export { findLive } from "./find.ts";
export { type Extent, statedValue, toStated, toWhole, wholeValue } from "../../fields/stated.ts";
