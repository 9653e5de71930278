import { isOwnVariable } from "../../redaction/environment-variables.ts";
import type { Mistake } from "../../source/mistake.ts";

/** The system shows processes and devices there, no regular files. */
export const systemFolders = ["/proc", "/dev", "/sys"];

/** The mistake of a name that no environment variable with a secret can have. */
export function secretVariableMistake(name: string): Mistake | undefined {
  if (isOwnVariable(name))
    return {
      message: "is infrasync's own environment variable, and no secret may come from it",
      advice: "give the value another variable",
    };
  if (/^[\w.()-]+$/.test(name)) return undefined;
  // Other words may be the secret itself.
  const [, meant] = /^\$\{?([A-Z_][A-Z0-9_]*)\}?$/.exec(name) ?? [];
  const advice = meant === undefined ? "write the name of the variable alone" : `write ${meant}`;
  return { message: "is not the name of an environment variable", advice };
}

/** The mistake of a file that never contains a secret. */
export function secretFileMistake(file: string): Mistake | undefined {
  return systemFolders.some((folder) => file === folder || file.startsWith(`${folder}/`))
    ? {
        message: `is in ${systemFolders.join(", ")}, and no secret may come from there`,
        advice: "name a file that contains the value and nothing else",
      }
    : undefined;
}
