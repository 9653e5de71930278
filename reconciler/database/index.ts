export { connect, DatabaseError, migrate } from "../../database/index.ts";
export { askWorker } from "./ask-worker.ts";
export { DatabaseClaims } from "./claims.ts";
export { type Lease, Leases } from "./leases.ts";
export { Passing, passingChannels } from "./passing.ts";
export { DatabaseDeleters } from "./deleters.ts";
export { SourceFiles } from "./source-files.ts";
export { Standings } from "./standings.ts";
export { StoredReads } from "./stored-reads.ts";
