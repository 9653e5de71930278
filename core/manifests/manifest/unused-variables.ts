import type { Restriction } from "../../model/addresses/restriction.ts";
import type { EnvironmentSettings } from "../../source/environments.ts";

export interface ReadVariableFile {
  /** Its name in messages. */
  file: string;
  names: readonly string[];
  isUsed(name: string): boolean;
}

/** The variables of an environment that none of its manifests uses. */
export function unusedVariables(
  { name, variables, placeOf }: EnvironmentSettings,
  isUsed: (variable: string) => boolean,
): Restriction[] {
  return [...variables.keys()]
    .filter((variable) => !isUsed(variable))
    .map((variable) => ({
      title: `environments.${name}.vars.${variable}`,
      position: placeOf(variable),
      idle: "no manifest of the environment uses the variable",
      matches: () => false,
    }));
}

/** The files with variables that no manifest uses: several environments may read one file, each a part of it. */
export function unusedInFiles(read: readonly ReadVariableFile[]): Restriction[] {
  return [...Map.groupBy(read, ({ file }) => file)].flatMap(([file, uses]): Restriction[] => {
    const names = new Set(uses.flatMap((each) => each.names));
    const unused = [...names].filter((name) => !uses.some((each) => each.isUsed(name)));
    if (unused.length === 0) return [];
    return [
      {
        title: `the file of variables ${file}`,
        effect: "has values without effect",
        idle: `no manifest uses ${unused.join(", ")}`,
        matches: () => false,
      },
    ];
  });
}
