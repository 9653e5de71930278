export {
  type CommitPolicy,
  noPolicy,
  type Promotion,
  readPolicy,
  type ReadPolicy,
  type Suspension,
} from "./file.ts";
export {
  filledIn,
  previewName,
  previewNumberOf,
  type PreviewOf,
  type PreviewPolicy,
  withPlaceholders,
} from "./previews.ts";
export {
  isWatched,
  modeOf,
  reasonToHold,
  reasonUntilCommit,
  type OperatorRules,
  reasonToWait,
  type Rules,
  rulesFor,
  rulesUntilCommit,
  rulesWhenRequested,
  sparedBy,
  strictestRules,
  suspendedAt,
  suspensionText,
  timeText,
  waitEnd,
  whileAtWork,
  withManage,
  withoutPruning,
} from "./rules.ts";
export { type Mode, modes, policyFileSchema } from "./schema.ts";
export { type Environment, environmentKeyOf, environmentOf, environmentsOf } from "./environments.ts";
export { isPausedBy, type Pause, pauseForm, rulesNow, rulesOfPauses, suspendedNow } from "./pauses.ts";
