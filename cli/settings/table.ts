import {
  caps,
  duration,
  durationUpTo,
  oneOf,
  text,
  tighterCaps,
  url,
  variableNames,
  wholeNumber,
  yesOrNo,
  type Reader,
} from "../../core/manifests/settings/values.ts";
import { mapValues } from "../../core/values/json.ts";
import table from "./settings.json" with { type: "json" };

/** What reads the text of each setting: all but the token and proxies, which only the environment sets (token.ts), and `protect`, which only the file sets. */
const readers = {
  max_deletes: caps,
  allow_env: variableNames,
  strict: yesOrNo,
  deploy: yesOrNo,
  parallelism: wholeNumber(1, 100),
  clone_timeout: duration,
  wait: yesOrNo,
  wait_timeout: duration,
  fresh: yesOrNo,
  max_age: durationUpTo("1d"),
  cache: text,
  base_url: url,
  organization: text,
  token_name: text,
  token_scheme: oneOf("Token", "Bearer"),
  insecure_http: yesOrNo,
  on_quota: oneOf("wait", "fail"),
  quota_patience: duration,
  max_requests: wholeNumber(1),
  log_level: oneOf("silent", "info", "debug"),
} satisfies Record<keyof typeof table, Reader<unknown>>;

export type SettingName = keyof typeof readers;

export type SettingValue<Name extends SettingName> =
  (typeof readers)[Name] extends Reader<infer Value> ? Value : never;

/** `baseUrl`. */
export type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

/** Settings by their names in code, such as `baseUrl`. A setting without a default may be undefined. */
export type SettingValues = {
  [Name in SettingName as CamelCase<Name>]:
    | SettingValue<Name>
    | ((typeof table)[Name] extends { default: unknown } ? never : undefined);
};

/** The stricter of two values, or of each of their parts; for settings that a file tightens. */
const tighter: { [Name in SettingName]?: Setting<SettingValue<Name>>["tighter"] } = {
  max_deletes: tighterCaps,
  fresh: (left, right) => left || right,
  max_age: Math.min,
  on_quota: (left, right) => (left === "fail" ? left : right),
  max_requests: Math.min,
};

/** Every setting: a row of `settings.json` and what reads it. */
export const settings = mapValues(table, (row, name) => ({
  ...row,
  read: readers[name as SettingName],
  tighter: tighter[name as SettingName],
})) as unknown as { [Name in SettingName]: Setting<SettingValue<Name>> };

/**
 * The permission of a settings file for a setting. The file is under version control, so anyone who can open a pull request
 * can propose a change of it.
 *
 * - `default`: the file sets the value; flag and environment variable override it.
 * - `watched`: the same on a terminal. In an unattended run it is an error unless flag or variable have the same value.
 * - `tightens`: the stricter of the file's value and that of flag or variable applies.
 * - `never`: the file cannot contain it, because whoever can propose a manifest can propose a settings file.
 */
export type InFile = "default" | "watched" | "tightens" | "never";

/** The default of a setting as text; it may differ between attended and unattended runs. */
type Default = string | { onTerminal: string; otherwise: string };

export interface Setting<Value> {
  /** The argument of its flag, such as `<url>`; undefined for a switch. */
  argument?: string;
  help: string;
  /** A command has the flags of all settings of a group or none. */
  group: string;
  read: Reader<Value>;
  default?: Default;
  inFile: InFile;
  /** The one way beside the file: a flag, a variable, or none for what a team decides once. Absent: flag and variable. */
  only?: "flag" | "variable" | "file";
  tighter?(left: Value, right: Value): Value;
}

export function defaultText(given: Default): string {
  return typeof given === "string" ? given : `${given.onTerminal} on a terminal, else ${given.otherwise}`;
}
