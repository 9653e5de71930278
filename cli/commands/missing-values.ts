import type { Command as CommandLine } from "commander";
import type { Problem } from "../../core/problems/problem.ts";
import { perhapsUnset } from "../../core/source/variables.ts";

/** The problems of empty arguments and flags, such as an unset variable: a missing value is no instruction. */
export function missingValues(line: CommandLine): Problem[] {
  const flags = line.options.flatMap((option) =>
    isMissing(line.getOptionValue(option.attributeName())) ? [option.long ?? option.flags] : [],
  );
  const args = line.registeredArguments.flatMap((argument, index) =>
    isMissing(line.processedArgs[index]) ? [`the argument ${argument.name()}`] : [],
  );
  return [...args, ...flags].map((name) => ({
    code: "argument",
    message: `${name} has no value`,
    advice: `write one, or leave it out; ${perhapsUnset}`,
  }));
}

function isMissing(value: unknown): boolean {
  return [value].flat().some((each) => typeof each === "string" && each.trim() === "");
}
