import { path } from "../api/index.ts";
import { map, object, text } from "../schema/field.ts";
import { database } from "./database.ts";
import { defineKind } from "./kind.ts";

const why = "the API makes a backup once, and changes none";
const backups = (databaseId: string) => path`/database/${databaseId}/backup`;

export const backup = defineKind({
  name: "Backup",
  description:
    "A backup of a database, made on demand: a run that finds no backup of that name makes one. It is made once, never changed, and deleted only with its database or because a person asks for it.",
  parent: database,
  use: "data",
  names: { immutable: why },
  listing: { path: backups, onDemand: true, mayBeMissing: true, isOnlyWay: true, startMember: "startId" },
  requests: { create: backups, one: (id, databaseId) => `${backups(databaseId)}${path`/${id}`}` },
  fields: object({
    message: text("What it is for.", { default: "", immutable: why, alwaysSent: true }),
  }),
  problem: ({ how, current, wanted }) =>
    how === "replace" && current?.["message"] !== wanted["message"]
      ? {
          field: "message",
          message: `${why}, and another one would not have the same data; give the new one another name`,
        }
      : undefined,
  parts: [],
  reports: {
    status: map("Its state: `state` is `READY` when it is complete."),
  },
});
