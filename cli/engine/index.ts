// Everything that commands need to do their work. A command imports it only when it runs, because loading it takes ten
// times as long as showing help.
export { encodeLogs, encodeStatuses } from "../../core/codec/index.ts";
export {
  chooseServices,
  followLogs,
  ordersFor,
  readLogs,
  readStatuses,
} from "../../core/deployments/index.ts";
export { toDesired } from "../../core/manifest/desired.ts";
export { dump, dumpCost } from "../../core/dump/index.ts";
export { findKind, kinds } from "../../core/kinds/index.ts";
export { LiveStore } from "../../core/live/index.ts";
export { anyManifestSchema, manifestMembers, manifestSchema } from "../../core/manifest/index.ts";
export { ensurePlanWritable, readPlan, writePlan } from "../../core/saved-plan/index.ts";
export { hasChanges } from "../../core/plan/index.ts";
export { nearest } from "../../core/schema/suggest.ts";
export { makeChange } from "./make-change.ts";
export { title } from "../render/actions.ts";
export { renderLogLine } from "../render/deployments.ts";
export { planJson } from "../render/json.ts";
export { planMarkdown } from "../render/plan-markdown.ts";
export { renderPlan } from "../render/plan.ts";
export { renderStatuses } from "../render/statuses.ts";
export { SettingsReader } from "../settings/index.ts";
export { readPattern } from "../settings/patterns.ts";
export { withStatus } from "../progress/with-status.ts";
export { chooseDumps, readDumps } from "./choose-dumps.ts";
export { chooseLogged } from "./choose-logged.ts";
export { cloneDocument } from "./clone-document.ts";
export { readInputs, readManifests, readSettings } from "./inputs.ts";
export { manifestsText } from "./manifests-text.ts";
export { prepareClone } from "./prepare-clone.ts";
export { prepareSavedPlan } from "./saved-plan.ts";
export { operate } from "./operate.ts";
export { openSession } from "./session.ts";
export { planWanted } from "./wanted.ts";
export { writeFiles } from "./write-files.ts";
export { ensureManifestsWritable, writeManifests } from "./write-manifests.ts";
