import { dirname } from "node:path";
import { fromFolder } from "../../core/files.ts";
import { readEnvironments, type StatedEnvironments } from "../../core/source/environments.ts";
import type { SettingsFile } from "./file.ts";

/** The environments of a settings file; their files and folders are as seen from the working directory. */
export function environmentsIn({ name = "", members }: SettingsFile): StatedEnvironments {
  const member = members.get("environments");
  if (!member) return { environments: [], problems: [] };
  const { environments, problems } = readEnvironments(member);
  const here = (path: string) => fromFolder(dirname(name), path);
  return {
    environments: environments.map((environment) => ({
      ...environment,
      sources: environment.sources.map(here),
      variableFiles: environment.variableFiles.map(here),
    })),
    problems,
  };
}
