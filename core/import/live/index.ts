export { documented, type DumpedDocument, type DumpOptions, sourceOfSecret, sourcesFor } from "./document.ts";
export { type Dump, dump, dumpCost, type SkippedItem } from "./dump.ts";
export { readPasswords, resourcesInside, servicesBeside } from "./passwords.ts";
export { withSecretsInPlace } from "./secret-sources.ts";
export { findLive } from "./find.ts";
export { type Extent, declaredValue, toDeclared } from "../../model/fields/declared-fields.ts";
