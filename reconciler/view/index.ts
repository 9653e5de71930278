export { type CommitBefore, commitPoliciesOf, rulesBeforeCommit } from "./commit-rules.ts";
export { CommitSource, droppedBy, type GivenSettings, type LoadedCommit } from "./commits.ts";
export { DeletionCount } from "./deletion-count.ts";
export { digestsIn, documentMarks } from "./digests.ts";
export { secretsWrittenBy } from "./secrets.ts";
export { liveRules, type RuleSources } from "./live-rules.ts";
export { type Commits, CommitsInForce, type InForce } from "./in-force.ts";
export { type Snapshot, type SourceClaim, type ViewSettings } from "./settings.ts";
export { Viewer } from "./viewer.ts";
