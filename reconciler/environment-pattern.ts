import type { AnyAddress } from "../core/address.ts";
import { parentKindAt } from "../core/kinds/index.ts";
import { parsePattern, type StatedBy } from "../core/pattern.ts";
import { InvalidInputError } from "../core/problem.ts";
import type { Restriction } from "../core/restriction.ts";
import type { Mistake } from "../core/source/mistake.ts";

/** The names of the environment of a resource; without one those of its project; none for what is in no project. */
export function environmentNames({ kind, names }: AnyAddress): string[] {
  const isParent = parentKindAt(names.length - 1)?.slug === kind.slug;
  return names.slice(0, Math.min(2, isParent ? names.length : names.length - 1));
}

/** A choice of environments by their names. */
export interface EnvironmentPattern {
  text: string;
  /** What it restricts, where a file states it. */
  restriction?: Restriction;
  /** @param names those of a project and an environment, of a project alone, or none: the organization */
  matches(names: readonly string[]): boolean;
}

/**
 * Reads a pattern of environments; gives its mistake if it can choose none.
 *
 * @param by the statement of a file that restricts environments with it; absent: it chooses
 */
export function readEnvironmentPattern(given: string, by?: StatedBy): EnvironmentPattern | Mistake {
  const names = given.replace(/^environment:/i, "");
  try {
    const pattern = parsePattern(`environment:${names}`, by && { ...by, text: given });
    // `shop/**` also stands for the project itself.
    const whole = names.split("/").includes("**") ? parsePattern(`project:${names}`) : undefined;
    const kindOf = (slug: string) => ({ slug, name: slug });
    const matches = (its: readonly string[]) => {
      // `**` also stands for what is in no project.
      if (its.length === 0) return names === "**";
      if (its.length === 1) return whole?.matches({ kind: kindOf("project"), names: its }) === true;
      return pattern.matches({ kind: kindOf("environment"), names: its });
    };
    return {
      text: given,
      matches,
      ...(pattern.restriction && {
        restriction: { ...pattern.restriction, matches: (address) => matches(environmentNames(address)) },
      }),
    };
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    return {
      message: "is not a pattern of environments",
      advice: "write PROJECT/ENVIRONMENT, with * for anything within a name and ** for any names",
    };
  }
}
