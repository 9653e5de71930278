export { CommitStatuses } from "./commit-statuses.ts";
export type { NotificationFormat } from "./message.ts";
export { Notifier } from "./notifier.ts";
export type { Destination } from "./post.ts";
