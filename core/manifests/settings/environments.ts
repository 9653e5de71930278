import type { Problem } from "../../problems/problem.ts";
import type { PlacedValue, EnvironmentSettings } from "../../source/environments.ts";
import { nameForm, variableName } from "../../source/variables.ts";
import { readSection } from "./read-section.ts";

export interface DeclaredEnvironments {
  environments: EnvironmentSettings[];
  problems: Problem[];
}

/** Reads the environments of a settings file. Every mistake is a problem with its position. */
export function readEnvironments(member: PlacedValue): DeclaredEnvironments {
  const { value, problems = [] } = readSection("environments", member);
  if (!value) return { environments: [], problems };
  const wrong = (path: string[], message: string, advice: string): void => {
    const label = ["environments", ...path].join(".");
    problems.push({
      code: "setting",
      message: `${label} ${message}`,
      advice,
      position: member.positionOf(path),
    });
  };
  const environments = Object.entries(value).map(([name, declared]): EnvironmentSettings => {
    if (!/^[\w.-]+$/.test(name))
      wrong(
        [name],
        "contains characters that an argument cannot have",
        "use letters, digits, dots and dashes",
      );
    const { sources, vars = {}, var_files: variableFiles = [], protect = [] } = declared;
    const variables = Object.entries(vars).flatMap(([key, given]): [string, string][] => {
      const path = [name, "vars", key];
      if (!variableName.test(key)) wrong(path, "is not a valid name of a variable", nameForm);
      else if (typeof given === "object")
        wrong(path, "is not a text, a number, true or false", `write ${key}: VALUE`);
      // `1.10` is not `1.1`.
      else return [[key, typeof given === "string" ? given : member.spelling(path)]];
      return [];
    });
    return {
      name,
      sources,
      variableFiles,
      variables: new Map(variables),
      placeOf: (variable) => member.positionOf([name, "vars", variable]),
      protect: protect.map((text, index) => ({
        text,
        position: member.positionOf([name, "protect", index]),
      })),
    };
  });
  return { environments, problems };
}
