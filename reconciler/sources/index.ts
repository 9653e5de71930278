export { foldersAmong, globOf, type Place } from "./expand.ts";
export { Fleet, type Member, type RunningSource } from "./fleet.ts";
export { SourceList, type SourceFile } from "./source-list.ts";
export type { Source, SourceSet } from "./source.ts";
