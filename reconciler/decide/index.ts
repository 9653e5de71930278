export { type Attribution, type Change } from "./changes.ts";
export { type Conclusion, conclude, type Settled } from "./conclude.ts";
export { type Decision, decide } from "./decide.ts";
export { type Deletion, deletionLimits, withBegun, withDone } from "./deletions.ts";
export { type Undone, withUndone } from "./fights.ts";
export type { CycleEnd, Enacted, Finding } from "./finding.ts";
export { type Standing, type StandingState, standingStates } from "./standing.ts";
export { distinct } from "./verdict.ts";
export { type Asked, everything, type Scope, scopeOf, type ShareView, type View } from "./view.ts";
