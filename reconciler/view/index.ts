export { CommitSource, droppedBy, type GivenSettings, type LoadedCommit } from "./commits.ts";
export { DeletionCount } from "./counted.ts";
export { liveRules, type RuleSources } from "./live-rules.ts";
export { type Commits, type InForce, type Seen, Viewer, type ViewSettings } from "./viewer.ts";
