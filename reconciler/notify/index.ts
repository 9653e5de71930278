export { CommitStatuses } from "./commit-statuses.ts";
export { type Repeats, readRoutes } from "./routes-file.ts";
export type { NotificationRoute } from "./sender.ts";
export { Notifier, type NotifierSettings } from "./notifier.ts";
export type { Destination } from "./post.ts";
export { databaseOutage } from "./database-outage.ts";
