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

/** Every setting but the token and proxies, which only the environment sets (token.ts), and `protect`, which only the file sets. */
export const settings = {
  max_deletes: setting({
    argument: "<caps>",
    help: "limits for deletions and replacements: in total, and as a share of the services of an environment",
    group: "deletions",
    read: caps,
    default: "10,30%",
    inFile: "tightens",
    tighter: tighterCaps,
  }),
  allow_env: setting({
    argument: "<names>",
    help: "environment variables that secrets may come from, such as SHOP_*,SMTP_PASSWORD; reconcile and ci allow no others",
    group: "secrets",
    read: variableNames,
    // Whoever can propose a manifest can propose a settings file.
    only: "variable",
    inFile: "never",
  }),
  strict: setting({
    help: "list as a difference everything that is set on the server and missing in the manifests: fields, variables, secrets, domains, settings, resources; reads all of them",
    group: "planning",
    read: yesOrNo,
    default: "false",
    only: "flag",
    inFile: "default",
  }),
  deploy: setting({
    help: "also deploy created and changed services, and managed services that are out of date or were never deployed",
    group: "planning",
    read: yesOrNo,
    default: "false",
    inFile: "default",
  }),
  parallelism: setting({
    argument: "<number>",
    help: "number of changes to make at the same time",
    group: "pace",
    read: wholeNumber(1, 100),
    default: "10",
    only: "file",
    inFile: "default",
  }),
  clone_timeout: setting({
    argument: "<time>",
    help: "how long to wait for a clone, such as 90s or 10m",
    group: "pace",
    read: duration,
    default: "5m",
    only: "variable",
    inFile: "default",
  }),
  wait: setting({
    help: "wait until the deployments are over; exit with 1 when one fails",
    group: "waiting",
    read: yesOrNo,
    default: "false",
    inFile: "default",
  }),
  wait_timeout: setting({
    argument: "<time>",
    help: "how long --wait follows a deployment, such as 90s or 45m; the deployment continues after that",
    group: "waiting",
    read: duration,
    default: "30m",
    only: "file",
    inFile: "default",
  }),
  fresh: setting({
    help: "read all variables, secrets, domains and settings again, and none from the cache",
    group: "cache",
    read: yesOrNo,
    default: "false",
    inFile: "tightens",
    tighter: (left, right) => left || right,
  }),
  max_age: setting({
    argument: "<time>",
    help: "how old a cached list may become, such as 10m or 1d; a list is read again earlier if an event names a change",
    group: "cache",
    read: durationUpTo("1d"),
    default: "1h",
    only: "file",
    inFile: "tightens",
    tighter: (left, right) => Math.min(left, right),
  }),
  cache: setting({
    argument: "<folder>",
    help: "folder of your own for the cache of runs, which contains no values (default: infrasync in your folder for caches)",
    group: "cache",
    read: text,
    // Whoever can propose a change could let runs write elsewhere.
    only: "variable",
    inFile: "never",
  }),
  base_url: setting({
    argument: "<url>",
    help: "URL of the API",
    group: "connection",
    read: url,
    inFile: "watched",
  }),
  organization: setting({
    argument: "<name>",
    help: "name or id of the organization, if the token can access several",
    group: "connection",
    read: text,
    inFile: "default",
  }),
  token_name: setting({
    argument: "<name>",
    help: "name of the token, as the organization lists it; a run deletes tokens only if it knows which one it uses",
    group: "connection",
    read: text,
    only: "variable",
    inFile: "never",
  }),
  token_scheme: setting({
    argument: "<scheme>",
    help: "scheme of the Authorization header",
    group: "connection",
    read: oneOf("Token", "Bearer"),
    only: "variable",
    inFile: "watched",
  }),
  insecure_http: setting({
    help: "allow http URLs of other machines",
    group: "connection",
    read: yesOrNo,
    default: "false",
    only: "variable",
    inFile: "watched",
  }),
  on_quota: setting<"wait" | "fail">({
    argument: "<action>",
    help: "what to do when the request quota is used up",
    group: "connection",
    read: oneOf("wait", "fail"),
    default: { onTerminal: "wait", otherwise: "fail" },
    inFile: "tightens",
    tighter: (left, right) => (left === "fail" ? left : right),
  }),
  quota_patience: setting({
    argument: "<time>",
    help: "how long to wait for the quota, or after 429, also if on_quota is fail",
    group: "connection",
    read: duration,
    default: "30s",
    only: "file",
    inFile: "default",
  }),
  max_requests: setting({
    argument: "<number>",
    help: "send no more requests than this",
    group: "connection",
    read: wholeNumber(1),
    only: "flag",
    inFile: "tightens",
    tighter: (left, right) => Math.min(left, right),
  }),
  log_level: setting({
    argument: "<level>",
    help: "log to standard error: info logs waits and the number of requests, debug also logs every request",
    group: "connection",
    read: oneOf("silent", "info", "debug"),
    default: "silent",
    inFile: "never",
  }),
};

/** The group of a setting in the help. A command has all settings of a group or none. */
export type SettingGroup = "deletions" | "planning" | "secrets" | "pace" | "waiting" | "cache" | "connection";

/**
 * The permission of a settings file for a setting. The file is under version control, so anyone who can open a pull request
 * can propose a change of it.
 *
 * - `default`: the file sets the value; flag and environment variable override it.
 * - `watched`: the same on a terminal. In an unattended run it is an error unless flag or variable have the same value.
 * - `tightens`: the stricter of the file's value and that of flag or variable applies.
 * - `never`: the file cannot contain it.
 */
export type InFile = "default" | "watched" | "tightens" | "never";

/** The default of a setting as text; it may differ between attended and unattended runs. */
type Default = string | { onTerminal: string; otherwise: string };

export interface Setting<Value> {
  /** The argument of its flag, such as `<url>`; undefined for a switch. */
  argument?: string;
  help: string;
  group: SettingGroup;
  read: Reader<Value>;
  default?: Default;
  inFile: InFile;
  /** The one way beside the file: a flag, a variable, or none for what a team decides once. Absent: flag and variable. */
  only?: "flag" | "variable" | "file";
  /** The stricter of two values, or of each of their parts; for settings that a file tightens. */
  tighter?(left: Value, right: Value): Value;
}

type WithDefault<Value> = Setting<Value> & { default: Default };

/** An entry of the table, with the type of its value taken from its reader. */
export function setting<Value>(entry: WithDefault<Value>): WithDefault<Value>;
export function setting<Value>(entry: Setting<Value>): Setting<Value>;
export function setting<Value>(entry: Setting<Value>): Setting<Value> {
  return entry;
}

export function defaultText(given: Default): string {
  return typeof given === "string" ? given : `${given.onTerminal} on a terminal, else ${given.otherwise}`;
}
