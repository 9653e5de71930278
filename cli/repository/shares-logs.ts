import type { Io } from "../terminal/io.ts";

/** Whether a Git host and a chat get log lines of services: only if the operator says so. */
export function sharesLogs({ env }: Pick<Io, "env">): boolean {
  return ["1", "true"].includes(env["INFRASYNC_SHARE_LOGS"] ?? "");
}
