import { describeAddress, formatAddress } from "../address.ts";
import type { Pattern } from "../pattern.ts";
import { InvalidInputError, type Problem } from "../problem.ts";
import type { Choice, Found } from "./choose.ts";

/**
 * Refuses to stop what is protected, unless it is named by its address: a wildcard is no consent to stop it, and neither
 * is the name of the environment that contains it.
 *
 * @param patterns with which the services were chosen
 * @param protect the patterns that protect resources
 * @throws InvalidInputError
 */
export function refuseToStopProtected(
  choices: readonly Choice[],
  patterns: readonly Pattern[],
  protect: readonly Pattern[],
): void {
  const problems = choices
    .flatMap(({ environment, isWhole, services }) => [...(isWhole ? [environment] : []), ...services])
    .flatMap((found) => problemOf(found, patterns, protect));
  if (problems.length > 0) throw new InvalidInputError(problems, "consent");
}

function problemOf({ address }: Found, patterns: readonly Pattern[], protect: readonly Pattern[]): Problem[] {
  const protection = protect.find((pattern) => pattern.matches(address));
  const isNamed = patterns.some((pattern) => !pattern.text.includes("*") && pattern.matches(address));
  if (!protection || isNamed) return [];
  return [
    {
      code: "protected",
      message: `${describeAddress(address)} cannot be stopped: it is protected by the pattern "${protection.text}"`,
      advice: `to stop it all the same, name it: ${formatAddress(address)}`,
      remedies: [{ setting: "protect", value: protection.text }],
      address: formatAddress(address),
    },
  ];
}
