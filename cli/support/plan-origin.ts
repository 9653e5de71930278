import { existsSync } from "node:fs";
import { dirname, isAbsolute, relative, resolve } from "node:path";
import type { PlanOrigin } from "../../core/forms/saved-plan/inputs.ts";
import type { SettingFlags } from "../settings/names.ts";
import type { SettingsPlaces } from "../settings/find.ts";

/** Where a plan has its settings from, for the file that keeps the plan: a repository can be checked out elsewhere. */
export function planOrigin(
  sources: readonly string[],
  { config: settingsFile, maxDeletes }: SettingFlags,
): PlanOrigin {
  return {
    sources: sources.filter((source) => source !== "-").map(fromHere),
    ...(settingsFile !== undefined && { settingsFile: fromHere(settingsFile) }),
    ...(typeof maxDeletes === "string" && { maxDeletes }),
  };
}

/**
 * The places whose settings count when a saved plan is applied: the manifests that it was made of, seen from the working
 * directory or from the plan file. What the settings around the plan file forbid counts as well.
 */
export function placesOf(
  planFile: string,
  { sources = [], settingsFile }: PlanOrigin,
): Required<SettingsPlaces> & { notes: string[] } {
  const seen = (path: string) =>
    [...new Set([resolve(path), resolve(dirname(planFile), path)])]
      .filter((each) => existsSync(each))
      .map(fromHere);
  const there = sources.flatMap(seen);
  return {
    orders: there.length > 0 ? there : [planFile],
    guards: there.length > 0 ? [planFile] : [],
    guardFiles: settingsFile === undefined ? [] : seen(settingsFile),
    notes:
      sources.length > 0 && there.length === 0
        ? [
            `The manifests of the plan are not here (${sources.join(", ")}): the settings beside them are not asked.`,
          ]
        : [],
  };
}

/** A path that is relative if it is below the working directory, and absolute otherwise. */
function fromHere(path: string): string {
  const below = relative(".", path);
  return below === "" ? "." : below.split(/[\\/]/)[0] === ".." || isAbsolute(below) ? resolve(path) : below;
}
