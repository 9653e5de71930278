import type { AnyAddress } from "./address.ts";
import { parentKindAt } from "../kinds/index.ts";
import { parsePattern, type Pattern } from "./pattern.ts";
import { InvalidInputError, type Position } from "../../problems/problem.ts";
import type { Restriction } from "./restriction.ts";
import type { Mistake } from "../../source/mistake.ts";

/** The member of a file that states a scope, and its place: `protect`. */
export interface ScopeOrigin {
  member: string;
  /** As it is written there; absent: the text of the scope. */
  text?: string;
  position?: Position;
}

/** A pattern of what a rule is about: unlike the choice of a person, it covers the resources that match, and all that is in them. */
export interface Scope extends Omit<Pattern, "namesKind"> {
  /** What it restricts, where a file states it. */
  restriction?: Restriction;
}

/**
 * Reads the scope of a rule: `shop/production` is the environment and everything in it, as `shop/production/**` is.
 *
 * @throws InvalidInputError if no resource can match it
 */
export function parseScope(text: string, by?: ScopeOrigin): Scope {
  const pattern = parsePattern(text);
  const matches = (address: AnyAddress) => withParents(address).some((each) => pattern.matches(each));
  const looksInside = (outer: readonly string[]) =>
    pattern.looksInside(outer) || parentsOf(outer).some((each) => pattern.matches(each));
  if (!by) return { text, matches, looksInside };
  const title = `${by.member} "${by.text ?? text}"`;
  const names = /^(?:[a-z*]+:)?(.*)$/is.exec(text)?.[1] ?? "";
  const restriction = { ...pattern, title, position: by.position, names, matches, looksInside };
  return { text, matches, looksInside, restriction };
}

export function withParents({ kind, names }: AnyAddress): AnyAddress[] {
  return [{ kind, names }, ...parentsOf(names.slice(0, -1))];
}

/** The addresses of a project or environment with these names, and of the project that it is in. */
function parentsOf(names: readonly string[]): AnyAddress[] {
  return names.flatMap((_, depth): AnyAddress[] => {
    const kind = parentKindAt(depth);
    return kind ? [{ kind, names: names.slice(0, depth + 1) }] : [];
  });
}

/** The names of the environment of a resource; without one those of its project; none for what is in no project. */
export function environmentNames({ kind, names }: AnyAddress): string[] {
  const isParent = parentKindAt(names.length - 1)?.slug === kind.slug;
  return names.slice(0, Math.min(2, isParent ? names.length : names.length - 1));
}

/** The environments that a rule is about, with all that is in them. */
export interface EnvironmentScope {
  text: string;
  /** What it restricts, where a file states it. */
  restriction?: Restriction;
  /** Whether it covers an environment. @param names those of a project and an environment, of a project alone, or none: the organization */
  matches(names: readonly string[]): boolean;
}

/**
 * Reads the scope of a rule about environments: `shop/production`, `shop` with all its environments, `**` with the organization;
 * gives its mistake if it can choose none.
 */
export function readEnvironmentScope(given: string, by?: ScopeOrigin): EnvironmentScope | Mistake {
  const names = given.replace(/^environment:/i, "");
  const parts = names.split("/");
  try {
    // `shop/**` stands for the project too.
    const isOfProject = parts.filter((part) => part !== "**").length < 2;
    const kinds = isOfProject
      ? ["project", ...(parts.includes("**") ? ["environment"] : [])]
      : ["environment"];
    const [scope, ...others] = kinds.map((kind) =>
      parseScope(`${kind}:${names}`, by && { ...by, text: given }),
    );
    if (!scope) return notEnvironments;
    const matches = (its: readonly string[]) => {
      // `**` stands for what is in no project too.
      if (its.length === 0) return names === "**";
      const address = parentsOf(its).at(-1);
      return address !== undefined && [scope, ...others].some((each) => each.matches(address));
    };
    const restriction = scope.restriction && {
      ...scope.restriction,
      matches: (address: AnyAddress) => matches(environmentNames(address)),
    };
    return { text: given, matches, ...(restriction && { restriction }) };
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    return notEnvironments;
  }
}

const notEnvironments: Mistake = {
  message: "is not a pattern of environments",
  advice:
    "write PROJECT/ENVIRONMENT, or PROJECT for all that are in it, with * for anything within a name and ** for any names",
};
