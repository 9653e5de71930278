// What the rooms of the reconciler show each other, they show the command line too: each name stands in the index of its room.
export type {
  Lease,
  Leases,
  RequestRelay,
  SourceFiles,
  SourceHealthExchange,
  StoredSessions,
} from "./database/index.ts";
export { readEnvironmentScope } from "../core/model/addresses/scope.ts";
export * from "./decide/index.ts";
export type { Identity } from "./identity.ts";
export { Audit, failureOf, Journal, journalForm, type NewEntry, stateWords } from "./journal/index.ts";
export { FolderLock, type Holder } from "./lock.ts";
export type { Log } from "./log.ts";
export * from "./memory/index.ts";
export * from "./notify/index.ts";
export { ownerByHand, ownerOf } from "./owner.ts";
export * from "./people/index.ts";
export * from "./policy/index.ts";
export * from "./previews/index.ts";
export * from "./requests/index.ts";
export * from "./service/index.ts";
export * from "./show/index.ts";
export * from "./sources/index.ts";
export * from "./view/index.ts";
export * from "./watch/index.ts";
export * from "./webhook/index.ts";
