import { path } from "../../api/index.ts";
import { map, object, text } from "../schema/field.ts";
import { database } from "./database.ts";
import { defineKind } from "./kind.ts";

const why = "the API cannot change a backup";
const backups = (databaseId: string) => path`/database/${databaseId}/backup`;

/**
 * ```yaml
 * kind: Backup
 * database: shop/production/orders
 * name: before-42
 * message: Before release 42.
 * ```
 *
 * See also: [connect a service to a database](../../guides/databases.md), [the organization](../../guides/organization.md).
 */
export const backup = defineKind({
  name: "Backup",
  description:
    "A backup of a database: a run creates it if no backup has that name. A backup never changes, and is deleted only with its database or by `destroy`.",
  parent: database,
  use: "data",
  names: { immutable: why },
  listing: { path: backups, onDemand: true, mayBeMissing: true, isOnlyWay: true, startMember: "startId" },
  requests: { create: backups, one: (id, databaseId) => `${backups(databaseId)}${path`/${id}`}` },
  fields: object({ message: text("Purpose.", { default: "", immutable: why, alwaysSent: true }) }),
  problem: ({ how, current, desired }) =>
    how === "replace" && current?.["message"] !== desired["message"]
      ? {
          field: "message",
          message: `${why}, and a new backup would contain other data; give the new backup another name`,
        }
      : undefined,
  parts: [],
  reports: { status: map("State: `state` is `READY` when it is complete.") },
});
