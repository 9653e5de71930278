export type { FieldSchema } from "../schema/field-schema.ts";
export type { ListWitness, OwnRequest, PlannedChange, VersionMember } from "./kind-members.ts";
export { kindAdvice, kindCalled, kindFormat, kindNames, kindsCalled, kindSlugs } from "./kind-names.ts";
export { fieldsIn, type Kind, pathNamesParent, referenceForm, unknownMembers } from "./kind.ts";
export { type NamedSibling, siblingsNamed } from "./named-siblings.ts";
export { isKeyOfOutput, isOutputOf, withAliases, withoutOutputsOf, withOutputs } from "./output-aliases.ts";
export {
  describeOutputs,
  partsTakingOutputs,
  outputFaults,
  outputFormats,
  type OutputSource,
  outputsUsed,
  withOutputsInPlace,
} from "./outputs.ts";
export {
  entryKindOf,
  findKind,
  holdsResources,
  holdsServices,
  kindOf,
  kinds,
  kindsInside,
  kindsOfCatalogue,
  kindsPrunedIn,
  listedKinds,
  parentKindAt,
  versionIn,
} from "./registry.ts";
