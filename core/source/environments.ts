import { type Fields, isFields, type Json } from "../json.ts";
import type { Position, Problem } from "../problem.ts";
import { nameForm, variableName } from "./variables.ts";

/** An environment of a settings file: its sources and its values. */
export interface StatedEnvironment {
  name: string;
  /** Files and folders, as seen from the folder of the settings file; later ones overlay earlier ones. */
  sources: readonly string[];
  /** Files with values of variables, as seen from there; later ones win. */
  variableFiles: readonly string[];
  /** Values of variables; they win over those of the files. */
  variables: ReadonlyMap<string, string>;
  /** Where it states the variable of a name. */
  placeOf(variable: string): Position;
  /** Patterns of resources that no run deletes, each with its position. */
  protect: readonly { text: string; position: Position }[];
}

/** A value of a file, with places in it. */
export interface PlacedValue {
  value: Json;
  positionOf(path: readonly (string | number)[]): Position;
  /** The spelling of a number, true or false at a path in it. */
  spelling(path: readonly (string | number)[]): string;
}

const members = ["sources", "vars", "var_files", "protect"];

/** Environments, and the problems of their files. */
export interface StatedEnvironments {
  environments: StatedEnvironment[];
  problems: Problem[];
}

/** Reads the environments of a settings file. Every mistake is a problem with its position. */
export function readEnvironments(member: PlacedValue): StatedEnvironments {
  const problems: Problem[] = [];
  const at = (path: (string | number)[], message: string, advice: string): undefined => {
    problems.push({ code: "setting", message, advice, position: member.positionOf(path) });
  };
  if (!isFields(member.value)) {
    at([], "environments is not a mapping", "write NAME: { sources: [FOLDER] } for each environment");
    return { environments: [], problems };
  }
  const environments = Object.entries(member.value).flatMap(([name, stated]): StatedEnvironment[] => {
    if (!/^[\w.-]+$/.test(name))
      at(
        [name],
        `environments.${name} cannot be typed as an argument`,
        "use letters, digits, dots and dashes",
      );
    if (!isFields(stated)) {
      at([name], `environments.${name} is not a mapping`, "write { sources: [FOLDER] }");
      return [];
    }
    for (const unknown of Object.keys(stated).filter((key) => !members.includes(key)))
      at(
        [name, unknown],
        `environments.${name} has an unknown member ${unknown}`,
        `its members are ${members.join(", ")}`,
      );
    const list = (key: string): { text: string; path: (string | number)[] }[] =>
      textsIn(stated, key).flatMap(({ value, path }) => {
        if (typeof value === "string" && value !== "") return [{ text: value, path: [name, ...path] }];
        at([name, ...path], `environments.${name}.${key} is not a list of texts`, `write ${key}: [TEXT]`);
        return [];
      });
    const paths = (key: string) =>
      list(key).flatMap(({ text, path }) => {
        if (isBelow(text)) return [text];
        at(
          path,
          `environments.${name}.${key} names ${text}, which is not below the folder of the settings file`,
          "write a path below it, without ..",
        );
        return [];
      });
    const sources = paths("sources");
    if (!Array.isArray(stated["sources"]) || stated["sources"].length === 0)
      at([name], `environments.${name} has no sources`, "write sources: [FOLDER], as on the command line");
    return [
      {
        name,
        sources,
        variableFiles: paths("var_files"),
        variables: variablesIn(
          stated["vars"],
          (key) => member.spelling([name, "vars", key]),
          (key, message, advice) => at([name, "vars", ...key], `environments.${name}.vars${message}`, advice),
        ),
        placeOf: (variable) => member.positionOf([name, "vars", variable]),
        protect: list("protect").map(({ text, path }) => ({ text, position: member.positionOf(path) })),
      },
    ];
  });
  return { environments, problems };
}

/** The elements of a list with their paths; a value that is no list is one element. */
function textsIn(stated: Fields, key: string): { value: Json; path: (string | number)[] }[] {
  const value = stated[key];
  if (value === undefined) return [];
  if (!Array.isArray(value)) return [{ value: null, path: [key] }];
  return value.map((element, index) => ({ value: element, path: [key, index] }));
}

/** Whether a path stays in its folder: a file under version control names nothing else of the machine. */
function isBelow(path: string): boolean {
  return (
    !path.startsWith("/") && !/^[A-Za-z]:|\\/.test(path) && path !== "-" && !path.split("/").includes("..")
  );
}

/** @param spelling how a number, true or false is written: `1.10` is not `1.1` */
function variablesIn(
  stated: Json | undefined,
  spelling: (key: string) => string,
  wrong: (key: string[], message: string, advice: string) => void,
): Map<string, string> {
  if (stated === undefined) return new Map();
  if (!isFields(stated)) {
    wrong([], " is not a mapping", "write NAME: VALUE for each variable");
    return new Map();
  }
  return new Map(
    Object.entries(stated).flatMap(([name, value]): [string, string][] => {
      if (!variableName.test(name)) wrong([name], ` has the variable ${name}`, nameForm);
      else if (typeof value === "object")
        wrong([name], `.${name} is not a text, a number, true or false`, `write ${name}: VALUE`);
      else return [[name, typeof value === "string" ? value : spelling(name)]];
      return [];
    }),
  );
}
