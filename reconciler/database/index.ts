export { connect, DatabaseError } from "./connection.ts";
export { type Lease, Leases } from "./leases.ts";
export { migrate } from "./migrations.ts";
export { Passing, passingChannels } from "./passing.ts";
export { SourceFiles } from "./source-files.ts";
export { Standings } from "./standings.ts";
