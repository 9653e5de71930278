import { type CamelCase, type Setting, type SettingName, settings } from "./table.ts";

export const settingNames = Object.keys(settings) as SettingName[];

export const fileMembers: readonly string[] = [
  ...settingNames.filter((name) => settings[name].inFile !== "never"),
  "protect",
  "policies",
  "environments",
  "reconcile",
  "min_version",
];

export type SettingFlags = { [Name in SettingName as CamelCase<Name>]?: string | boolean } & {
  config?: string;
};

export function isDeclaredBy(name: SettingName, way: "flag" | "variable"): boolean {
  const { only }: Setting<unknown> = settings[name];
  return only === undefined || only === way;
}

/** `--base-url`. */
export function flagOf(name: SettingName): string {
  return `--${name.replaceAll("_", "-")}`;
}

/** `INFRASYNC_BASE_URL`. */
export function variableOf(name: SettingName): string {
  return `INFRASYNC_${name.toUpperCase()}`;
}

export function camelCase<Name extends string>(name: Name): CamelCase<Name> {
  return name.replaceAll(/_(\w)/g, (_match, letter: string) => letter.toUpperCase()) as CamelCase<Name>;
}
