export { CommitSource, droppedBy, type GivenSettings, type LoadedCommit } from "./commits.ts";
export { proposePermitted } from "./permitted.ts";
export { type Commits, type InForce, type Seen, Viewer, type ViewSettings } from "./viewer.ts";
