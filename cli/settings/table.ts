import { setting } from "./setting.ts";
import {
  caps,
  duration,
  oneOf,
  text,
  tighterCaps,
  url,
  variableNames,
  wholeNumber,
  yesOrNo,
} from "./values.ts";

/**
 * Every setting by its name in the settings file; the names of its flag and its environment variable follow from it. Not
 * in this table: the token and proxies, which only the environment sets (token.ts), and `protect`, which only the file
 * sets, because it can only forbid.
 */
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
    inFile: "never",
  }),
  strict: setting({
    help: "also report fields that no manifest sets and that differ from their defaults",
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
    inFile: "default",
  }),
  clone_timeout: setting({
    argument: "<time>",
    help: "how long to wait for a clone, such as 90s or 10m",
    group: "pace",
    read: duration,
    default: "5m",
    inFile: "default",
  }),
  wait_timeout: setting({
    argument: "<time>",
    help: "how long --wait follows a deployment, such as 90s or 45m; the deployment goes on after that",
    group: "waiting",
    read: duration,
    default: "30m",
    inFile: "default",
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
    inFile: "never",
  }),
  token_scheme: setting({
    argument: "<scheme>",
    help: "scheme of the Authorization header",
    group: "connection",
    read: oneOf("Token", "Bearer"),
    inFile: "watched",
  }),
  insecure_http: setting({
    help: "allow http URLs of other machines",
    group: "connection",
    read: yesOrNo,
    default: "false",
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
    help: "how long to wait for the quota, or after 429, also if --on-quota is fail",
    group: "connection",
    read: duration,
    default: "30s",
    inFile: "default",
  }),
  max_requests: setting({
    argument: "<number>",
    help: "send no more requests than this",
    group: "connection",
    read: wholeNumber(1),
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
