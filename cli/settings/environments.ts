import { dirname } from "node:path";
import { fromFolder } from "../../core/files.ts";
import { readEnvironments, type StatedEnvironments } from "../../core/source/environments.ts";
import type { SettingsFile } from "./file.ts";

/** The environments of a settings file, with paths as it states them. */
export function statedEnvironments({ members }: SettingsFile): StatedEnvironments {
  const member = members.get("environments");
  return member ? readEnvironments(member) : { environments: [], problems: [] };
}

/** The environments of a settings file; their files and folders are as seen from the working directory. */
export function environmentsIn(file: SettingsFile): StatedEnvironments {
  const { environments, problems } = statedEnvironments(file);
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
