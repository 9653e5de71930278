import { serviceOf } from "../http/lookup.ts";
import { get, list, type Route } from "../http/routing.ts";
import { masterCredentials } from "../variables/built-in.ts";
import type { Service } from "../world/records.ts";

// The offered versions of each type of database, oldest first.
const offered: Record<string, string[]> = {
  POSTGRESQL: ["13", "14", "15", "16", "17"],
  MYSQL: ["8.0", "8.4"],
  MONGODB: ["6.0", "7.0", "8.0"],
  REDIS: ["6", "7"],
};

export const databaseRoutes: Route[] = [
  get("/database/{databaseId}/masterCredentials", (call) =>
    masterCredentials(serviceOf(call, { kind: "database" }), call.world),
  ),
  list(
    "/database/{databaseId}/version",
    (call) => versionsFor(serviceOf(call, { kind: "database" })),
    (version) => ({ name: version }),
  ),
];

/** The offered versions, and the present one, which may differ. */
function versionsFor({ spec }: Service): string[] {
  const { type, version } = spec as { type: string; version: string };
  return [...new Set([...(offered[type] ?? []), version])];
}
