import { realpathSync } from "node:fs";
import { dirname } from "node:path";
import { fromFolder } from "../../core/files/files.ts";
import type { Problem } from "../../core/problems/problem.ts";
import type { DeclaredEnvironments } from "../../core/manifests/settings/environments.ts";
import type { EnvironmentSettings } from "../../core/source/environments.ts";
import { isInside, leaves } from "../../core/source/files.ts";
import type { SettingsFile } from "./file.ts";

export async function declaredEnvironments({ members }: SettingsFile): Promise<DeclaredEnvironments> {
  const member = members.get("environments");
  if (!member) return { environments: [], problems: [] };
  return (await import("../../core/manifests/settings/environments.ts")).readEnvironments(member);
}

/** The environments of a settings file on the disk, as `environmentsOfCommit` has them, without links that lead out of its folder. */
export async function environmentsIn(file: SettingsFile): Promise<DeclaredEnvironments> {
  const { environments, problems } = await environmentsOfCommit(file);
  const inside = environments.map((environment) => insideFolder(environment, dirname(file.name ?? "")));
  const reported = new Map(inside.flatMap((each) => each.problems).map((each) => [each.message, each]));
  return {
    environments: inside.map(({ environment }) => environment),
    problems: [...problems, ...reported.values()],
  };
}

/** The environments of a settings file; their files and folders are as seen from the working directory, and need not be there. */
export async function environmentsOfCommit(file: SettingsFile): Promise<DeclaredEnvironments> {
  const { environments, problems } = await declaredEnvironments(file);
  const here = (path: string) => fromFolder(dirname(file.name ?? ""), path);
  return {
    environments: environments.map((environment) => ({
      ...environment,
      sources: environment.sources.map(here),
      variableFiles: environment.variableFiles.map(here),
    })),
    problems,
  };
}

/** An environment without the files and folders that links lead out of a folder, and a problem for each of those. */
export function insideFolder(
  environment: EnvironmentSettings,
  folder: string,
): { environment: EnvironmentSettings; problems: Problem[] } {
  const problems: Problem[] = [];
  const inside = (paths: readonly string[]) =>
    paths.filter((path) => {
      if (!isOutside(path, folder)) return true;
      const advice = "put what it leads to into the folder of the settings file";
      problems.push({ ...leaves(path), advice });
      return false;
    });
  const { sources, variableFiles } = environment;
  return {
    environment: { ...environment, sources: inside(sources), variableFiles: inside(variableFiles) },
    problems,
  };
}

/** Whether links lead out of a folder; not where nothing can be read: whoever reads it says so. */
export function isOutside(path: string, folder: string): boolean {
  const [real, root] = [realPath(path), realPath(folder)];
  return real !== undefined && root !== undefined && !isInside(real, root);
}

/** The path without links; undefined: nothing can be read there, and whoever reads it says so. */
function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}
