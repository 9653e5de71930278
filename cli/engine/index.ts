// What commands use of this room. A command imports it only when it runs, because loading it takes ten times as long as
// showing help.
export { readBase } from "./base.ts";
export { policyProblems, readOperatorRules } from "./commit-policy.ts";
export { chooseDumps, readDumps } from "./choose-dumps.ts";
export { chooseOne } from "./choose-one.ts";
export { chooseLogged } from "./choose-logged.ts";
export { cloneResult } from "./clone-result.ts";
export { cloneDocument } from "./clone-document.ts";
export { readPagePlace } from "./page.ts";
export { showServiceStatus } from "./service-status.ts";
export { readInputs, readManifests, readSettings } from "./inputs.ts";
export { makeChange } from "./make-change.ts";
export { manifestsText } from "./manifests-text.ts";
export { operate } from "./operate.ts";
export { prepareClone } from "./prepare-clone.ts";
export { pulumiImport } from "./pulumi-import.ts";
export { prepareSavedPlan } from "./saved-plan.ts";
export { readPlace, withRepository } from "./repository.ts";
export { reconcileOnce } from "./reconcile-once.ts";
export { runService } from "./serve.ts";
export { readSuspension, resumeIn, suspendIn } from "./suspensions.ts";
export { openSession } from "./session.ts";
export { readNotifications } from "./notifications.ts";
export { readWebhookPlace } from "./webhook.ts";
export { proposeWanted } from "./wanted.ts";
export { updateManifestFiles } from "./update-manifests.ts";
export { writeFiles } from "./write-files.ts";
export { ensureManifestsWritable, writeManifests } from "./write-manifests.ts";
