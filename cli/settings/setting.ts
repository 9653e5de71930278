import type { Reader } from "../../core/manifests/settings/values.ts";

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
