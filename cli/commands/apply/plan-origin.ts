import { existsSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { PlanOrigin } from "../../../core/outputs/forms/saved-plan/inputs.ts";
import { refusal } from "../../../core/problems/problem.ts";
import { fromFolder } from "../../../core/files/files.ts";
import type { SettingFlags } from "../../settings/names.ts";
import type { SettingsPlaces } from "../../../core/manifests/settings/find.ts";

/** The sources of a plan's settings, for its file: a repository can be checked out elsewhere. */
export function planOrigin(
  planFile: string,
  sources: readonly string[],
  { config: settingsFile, maxDeletes }: SettingFlags,
): PlanOrigin {
  return {
    folder: relative(dirname(planFile), ".") || ".",
    sources: sources.filter((source) => source !== "-").map(fromHere),
    ...(settingsFile !== undefined && { settingsFile: fromHere(settingsFile) }),
    ...(typeof maxDeletes === "string" && { maxDeletes }),
  };
}

/** The places whose settings apply to a saved plan; settings around the plan file can only forbid. */
export function placesOf(
  planFile: string,
  { folder: madeIn = ".", sources = [], settingsFile }: PlanOrigin,
  config: string | undefined,
): {
  settings: SettingsPlaces;
  /** The folder from which the plan names files: its working directory, or another folder with the same files. */
  folder: string;
} {
  const beside = dirname(planFile);
  const named = [...sources, ...(settingsFile === undefined ? [] : [settingsFile])];
  const isThere = (folder: string) => named.every((path) => existsSync(fromFolder(folder, path)));
  const folders = [...new Set([fromHere(join(beside, madeIn)), ".", fromHere(beside)])].filter(isThere);
  const [folder] = folders;
  if (folder === undefined) {
    if (config !== undefined) return { settings: { orders: [planFile] }, folder: "." };
    throw refusal(
      "saved_plan",
      `the plan file ${planFile} was made with ${named.join(", ")}, and some of these files are missing, so their settings cannot be checked`,
      "run it in the folder where the plan was made or in a checkout like that one, or name the settings with --config",
    );
  }
  const [orders = [], ...others] = folders.map((each) => sources.map((path) => fromFolder(each, path)));
  return {
    settings: {
      orders: orders.length > 0 ? orders : [planFile],
      guards: [planFile, ...others.flat()],
      guardFiles: settingsFile === undefined ? [] : folders.map((each) => fromFolder(each, settingsFile)),
    },
    folder,
  };
}

function fromHere(path: string): string {
  return relative(".", path) || ".";
}
