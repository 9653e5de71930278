import { isKnown, knownVariables, prefix } from "../../redaction/environment-variables.ts";
import type { Problem } from "../../problems/problem.ts";
import { nearest } from "../../model/schema/suggest.ts";

/** The problems of unknown variables: a mistyped limit would limit nothing. Values are not shown. */
export function unknownVariables(environment: Readonly<Record<string, string | undefined>>): Problem[] {
  return Object.keys(environment)
    .filter((variable) => variable.startsWith(prefix) && environment[variable] !== undefined)
    .filter((variable) => !isKnown(variable))
    .map((variable) => {
      const near = nearest(variable, knownVariables);
      return {
        code: "setting",
        message: `nothing reads the environment variable ${variable}`,
        advice:
          near === undefined ? "correct its name, or unset it" : `did you mean ${near}? otherwise unset it`,
      };
    });
}
