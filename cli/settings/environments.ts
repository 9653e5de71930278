import { dirname } from "node:path";
import { fromFolder } from "../../core/files.ts";
import type { StatedEnvironments } from "../../core/settings/environments.ts";
import type { SettingsFile } from "./file.ts";

/** The environments of a settings file, with paths as it states them. */
export async function statedEnvironments({ members }: SettingsFile): Promise<StatedEnvironments> {
  const member = members.get("environments");
  if (!member) return { environments: [], problems: [] };
  return (await import("../../core/settings/environments.ts")).readEnvironments(member);
}

/** The environments of a settings file; their files and folders are as seen from the working directory. */
export async function environmentsIn(file: SettingsFile): Promise<StatedEnvironments> {
  const { environments, problems } = await statedEnvironments(file);
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
