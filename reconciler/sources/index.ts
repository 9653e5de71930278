export {
  type Claim,
  type Conflict,
  previewsOf,
  SourceClaims,
  sourceOf,
  type StoredClaims,
} from "./claims.ts";
export type { FollowedStore, SourceMemory } from "./followed-store.ts";
export { othersOf, type OtherSources } from "./others.ts";
export { Deleters, type StoredDeleters } from "./deleters.ts";
export { foldersAmong, globOf } from "./expand.ts";
export { Fleet, type Member, type RunningSource } from "./fleet.ts";
export { placeOf, SourceList, type SourceFile, type SourcePlaces } from "./source-list.ts";
export type { Source, SourceSet, StoppedSource } from "./source.ts";
