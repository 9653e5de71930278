export { type CommitPolicy, noPolicy, type Promotion, readPolicy, restrictionsIn } from "./file.ts";
export { filledIn, previewName, previewNumberOf, type PreviewOf, type PreviewPolicy } from "./previews.ts";
export {
  modeOf,
  type OperatorRules,
  reasonToWait,
  type Rules,
  rulesFor,
  rulesWhenAsked,
  sparedBy,
  strictestRules,
  waitEnd,
  whileAtWork,
  withoutPruning,
} from "./rules.ts";
export {
  type EnvironmentPattern,
  type Mode,
  modes,
  policyFileSchema,
  readEnvironmentPattern,
} from "./schema.ts";
export { type Share, shareKeyOf, shareOf, sharesOf } from "./shares.ts";
export { type NamedSuspension, readSuspensions, resume, rulesOfSuspensions, suspend } from "./suspensions.ts";
