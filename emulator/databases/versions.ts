import { Type } from "typebox";
import { name } from "../bodies/common.ts";
import { environmentOf, serviceOf } from "../http/lookup.ts";
import { get, list, put, remove, type Call, type Route } from "../http/routing.ts";
import { serviceView } from "../services/index.ts";
import { masterCredentials, setMasterCredentials, variablesAbout } from "../variables/built-in.ts";
import { removeVariable } from "../variables/variables.ts";
import { notFound } from "../world/errors.ts";
import type { Service, Variable } from "../world/records.ts";

// The versions of each type of database that the platform offers, oldest first.
const offered: Record<string, string[]> = {
  POSTGRESQL: ["13", "14", "15", "16", "17"],
  MYSQL: ["8.0", "8.4"],
  MONGODB: ["6.0", "7.0", "8.0"],
  REDIS: ["6", "7"],
};

/** Reads about a database besides its configuration. */
export const databaseRoutes: Route[] = [
  get("/database/{databaseId}/masterCredentials", (call) =>
    masterCredentials(serviceOf(call, { kind: "database" }), call.world),
  ),
  list(
    "/database/{databaseId}/version",
    (call) => versionsFor(serviceOf(call, { kind: "database" })),
    (version) => ({ name: version }),
  ),
  put("/database/{databaseId}/masterCredentials", Type.Object({ login: name, password: name }), (call) => {
    const database = serviceOf(call, { kind: "database" });
    setMasterCredentials(database, call.body, call.world);
    return masterCredentials(database, call.world);
  }),
  list(
    "/database/{databaseId}/application",
    (call) => applicationsOf(call).map(([user]) => user),
    serviceView,
  ),
  remove("/database/{databaseId}/application/{targetApplicationId}", (call) => {
    const id = call.param("targetApplicationId");
    const [, aliases = []] = applicationsOf(call).find(([user]) => user.id === id) ?? [];
    if (aliases.length === 0) throw notFound("application that uses this database", id);
    for (const alias of aliases) removeVariable(alias, call.world);
  }),
  list(
    "/environment/{environmentId}/databaseConfiguration",
    (call) => Object.entries(environmentOf(call) && offered),
    ([database_type, versions]) => ({
      database_type,
      version: versions.flatMap((version) =>
        ["CONTAINER", "MANAGED"].map((supported_mode) => ({ name: version, supported_mode })),
      ),
    }),
  ),
];

/** The applications that use a database, with the variables that are aliases of its built-in ones. */
function applicationsOf(call: Call): [Service, Variable[]][] {
  const { world } = call;
  const database = serviceOf(call, { kind: "database" });
  const about = new Set(variablesAbout(database, world).map(({ id }) => id));
  return world.store.services
    .under(database.parentId)
    .filter(({ kind }) => kind === "application")
    .map((service): [Service, Variable[]] => [
      service,
      world.store.variables.under(service.id).filter(({ aliasOf = "" }) => about.has(aliasOf)),
    ])
    .filter(([, aliases]) => aliases.length > 0);
}

/** The offered versions, and the present one, which may be another. */
function versionsFor({ spec }: Service): string[] {
  const { type, version } = spec as { type: string; version: string };
  return [...new Set([...(offered[type] ?? []), version])];
}
