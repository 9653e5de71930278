export type { Manage, Manifest, ManifestDocument } from "./document.ts";
export { anyManifestSchema, manifestSchema } from "./editor-schema.ts";
export { formatManifest, type ManifestContent } from "./format.ts";
export { loadManifests, type LoadedManifests } from "./load.ts";
export type { Mistake } from "./mistake.ts";
export { parseManifest, type ParsedManifest } from "./parse.ts";
export { type Validation, validateManifest } from "./validate.ts";
