import { logLevels } from "./log-levels.ts";
import { caps, duration, oneOf, type Reader, text, url, wholeNumber, yesOrNo } from "./values.ts";

/** Every setting that has a flag: its name in the settings file, from which those of its flag and variable follow. */
export const settingReaders = {
  base_url: url,
  organization: text,
  token_scheme: oneOf("Token", "Bearer"),
  insecure_http: yesOrNo,
  on_quota: oneOf("wait", "fail"),
  max_requests: wholeNumber(1),
  parallelism: wholeNumber(1, 100),
  clone_timeout: duration,
  max_deletes: caps,
  strict: yesOrNo,
  log_level: oneOf(...logLevels),
} satisfies Record<string, Reader<unknown>>;

/** The name of a setting, as the settings file has it. */
export type SettingName = keyof typeof settingReaders;

export const settingNames = Object.keys(settingReaders) as SettingName[];

/** What a setting is read as. */
export type SettingValue<Name extends SettingName> =
  ReturnType<(typeof settingReaders)[Name]> extends infer Result
    ? Extract<Result, { value: unknown }>["value"]
    : never;

/** Settings that are of a machine or a run, not of a repository. */
export const notInFile: readonly string[] = ["log_level"] satisfies SettingName[];

/** Members of the settings file. */
export const fileMembers: readonly string[] = [
  ...settingNames.filter((name) => !notInFile.includes(name)),
  "protect",
];

/** `--base-url`. */
export function flagOf(name: SettingName): string {
  return `--${name.replaceAll("_", "-")}`;
}

/** `INFRASYNC_BASE_URL`. */
export function variableOf(name: SettingName): string {
  return `INFRASYNC_${name.toUpperCase()}`;
}
