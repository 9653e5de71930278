export { type Desired, toDesired } from "./desired.ts";
export type { ManifestDocument } from "./document.ts";
export { anyManifestSchema, manifestSchema } from "./editor-schema.ts";
export { type FieldHelp, fieldHelp } from "./field-help.ts";
export { formatManifest, manifestMembers, type ManifestContent } from "./format.ts";
export { type LoadedFiles, type LoadedSource, loadManifests } from "./load.ts";
export { type GivenFolder, loadFolder, manifestPaths } from "./load-folder.ts";
export { parseManifest } from "./parse.ts";
export { validateManifest } from "./validate.ts";
