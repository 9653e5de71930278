export { type Attribution, type Change, deletes } from "./changes.ts";
export { type Conclusion, conclude, type Settled } from "./conclude.ts";
export { decide } from "./decide.ts";
export { type Deletion, deletionLimits, limitProblems, withBegun, withDone } from "./deletions.ts";
export { type Undone, withUndone } from "./fights.ts";
export type { CycleEnd, Enacted, Finding } from "./finding.ts";
export { type Standing, type StandingState, standingStates } from "./standing.ts";
export { type Asked, everything, type Scope, type ShareView, type View } from "./view.ts";
