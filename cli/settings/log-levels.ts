/** Words of `--log-level`, from quiet to talkative. */
export const logLevels = ["silent", "info", "debug"] as const;

export type LogLevel = (typeof logLevels)[number];
