export { relevantDefaults } from "./defaults.ts";
export {
  type DesiredResource,
  emptyDesired,
  formerAddress,
  faultsIn,
  namedDocuments,
  parentOf,
  toDesired,
} from "./desired-resource.ts";
export { documentSchema } from "./document-schema.ts";
export type { Manage, ManifestDocument } from "./document.ts";
export {
  anyManifestSchema,
  defaultsManifestSchema,
  manifestSchema,
  templateManifestSchema,
} from "./editor-schema.ts";
export { type FieldHelp, fieldHelp, kindsHelp, rangeOf } from "./field-help.ts";
export { formatsFor } from "./formats.ts";
export { manifestsOf } from "./from-values.ts";
export { hideSecrets } from "./hidden-secrets.ts";
export { mergeEnvironments } from "./merge.ts";
export { addressOf, layOver } from "./layers.ts";
export { credentialNotes, doubtfulValues, leftToPlatform } from "./platform-defaults.ts";
export {
  fileAt,
  filesBesideIn,
  type VirtualFolder,
  loadEnvironments,
  loadFolder,
  manifestPaths,
} from "./load-folder.ts";
export type { FetchTemplate } from "./expand.ts";
export { combine, type LoadedFiles, type LoadedManifests, loadManifests, type LoadOptions } from "./load.ts";
export { type ManifestContent, manifestMembers } from "./members.ts";
export { yamlNotation } from "../../model/schema/yaml-notation.ts";
export { formatManifest, parseManifest } from "./manifest-text.ts";
export { adviceOnField } from "./field-advice.ts";
export type { LoadedSource, RemoteTemplate } from "./parsed-manifest.ts";
export { ParsedFiles } from "./parsed-files.ts";
export { type ReadVariableFile, unusedInFiles, unusedVariables } from "./unused-variables.ts";
export { validateManifest } from "./validate.ts";
