import type { Reader } from "./values.ts";

/** Where a setting stands in the help; a command has all of a group or none. */
export type SettingGroup = "deletions" | "planning" | "pace" | "connection";

/**
 * What the settings file may say. It is under version control: whoever may propose a change of the repository proposes
 * one of the file.
 *
 * - `default`: it counts where neither flag nor variable is given.
 * - `watched`: the same on a terminal. Where nobody watches, it is an error unless flag or variable say the same.
 * - `tightens`: it counts beside flag and variable, and the tighter of both holds.
 * - `never`: it is of a run or a machine.
 */
export type InFile = "default" | "watched" | "tightens" | "never";

/** What a setting is where nobody says, as it would be written; it may differ where a person looks on. */
type Default = string | { onTerminal: string; otherwise: string };

/** A setting. */
export interface Setting<Value> {
  /** What follows its flag, such as `<url>`. A switch has nothing. */
  argument?: string;
  help: string;
  group: SettingGroup;
  read: Reader<Value>;
  default?: Default;
  inFile: InFile;
  /** Of two values, or for each part of them, the one that allows less: where a file tightens. */
  tighter?(left: Value, right: Value): Value;
}

/** A setting that always has a value. */
type WithDefault<Value> = Setting<Value> & { default: Default };

/** An entry of the table, with the type of its value taken from its reader. */
export function setting<Value>(entry: WithDefault<Value>): WithDefault<Value>;
export function setting<Value>(entry: Setting<Value>): Setting<Value>;
export function setting<Value>(entry: Setting<Value>): Setting<Value> {
  return entry;
}

/** The default, as the help has it. */
export function defaultText(given: Default): string {
  return typeof given === "string" ? given : `${given.onTerminal} on a terminal, else ${given.otherwise}`;
}
