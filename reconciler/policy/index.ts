export { type CommitPolicy, noPolicy, readPolicy } from "./file.ts";
export { liveRules, type RuleSources } from "../view/live-rules.ts";
export {
  modeOf,
  type OperatorRules,
  reasonToWait,
  type Rules,
  rulesFor,
  waitEnd,
  whileAtWork,
  withoutPruning,
} from "./rules.ts";
export { filledIn, type PreviewOf, type PreviewPolicy } from "./previews.ts";
export { type Mode, modes, policyFileSchema } from "./schema.ts";
