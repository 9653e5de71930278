import type { AnyAddress } from "./address.ts";
import { parentKindAt } from "../kinds/index.ts";
import { parsePattern, type Pattern } from "./pattern.ts";
import { InvalidInputError, type Position } from "../../problems/problem.ts";
import type { Restriction } from "./restriction.ts";
import type { Mistake } from "../../source/mistake.ts";

/** The member of a file with a scope, and its place: `protect`. */
export interface ScopeOrigin {
  member: string;
  /** As it is written there; absent: the text of the scope. */
  text?: string;
  position?: Position;
}

/** The pattern of a rule: unlike a person's choice, it covers matching resources and all of their contents. */
export interface Scope extends Omit<Pattern, "namesKind"> {
  /** Its restriction, if a file declares it. */
  restriction?: Restriction;
}

/** Reads the scope of a rule: `shop/production` includes its contents. @throws InvalidInputError if no resource can match it */
export function parseScope(text: string, by?: ScopeOrigin): Scope {
  const pattern = parsePattern(text);
  const matches = (address: AnyAddress) => withParents(address).some((each) => pattern.matches(each));
  const readsInside = (outer: readonly string[]) =>
    pattern.readsInside(outer) || parentsOf(outer).some((each) => pattern.matches(each));
  if (!by) return { text, matches, readsInside };
  const title = `${by.member} "${by.text ?? text}"`;
  const names = /^(?:[a-z*]+:)?(.*)$/is.exec(text)?.[1] ?? "";
  const restriction = { ...pattern, title, position: by.position, names, matches, readsInside };
  return { text, matches, readsInside, restriction };
}

export function withParents({ kind, names }: AnyAddress): AnyAddress[] {
  return [{ kind, names }, ...parentsOf(names.slice(0, -1))];
}

/** The addresses of a project or environment with these names, and of the project around it. */
function parentsOf(names: readonly string[]): AnyAddress[] {
  return names.flatMap((_, depth): AnyAddress[] => {
    const kind = parentKindAt(depth);
    return kind ? [{ kind, names: names.slice(0, depth + 1) }] : [];
  });
}

/** The names of the environment of a resource, or else of its project; empty outside projects. */
export function environmentNames({ kind, names }: AnyAddress): string[] {
  const isParent = parentKindAt(names.length - 1)?.slug === kind.slug;
  return names.slice(0, Math.min(2, isParent ? names.length : names.length - 1));
}

/** The environments of a rule, with their contents. */
export interface EnvironmentScope {
  text: string;
  /** Its restriction, if a file declares it. */
  restriction?: Restriction;
  /** Whether it covers an environment. @param names of an environment, of a project, or none: the organization */
  matches(names: readonly string[]): boolean;
}

/** Reads the scope of a rule about environments: `shop/production`, `shop`, `**` with the organization; or a mistake. */
export function readEnvironmentScope(given: string, by?: ScopeOrigin): EnvironmentScope | Mistake {
  const names = given.replace(/^environment:/i, "");
  const parts = names.split("/");
  try {
    // `shop/**` includes the project.
    const isOfProject = parts.filter((part) => part !== "**").length < 2;
    const kinds = isOfProject
      ? ["project", ...(parts.includes("**") ? ["environment"] : [])]
      : ["environment"];
    const [scope, ...others] = kinds.map((kind) =>
      parseScope(`${kind}:${names}`, by && { ...by, text: given }),
    );
    if (!scope) return notEnvironments;
    const matches = (its: readonly string[]) => {
      // `**` includes resources outside projects.
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
    "write PROJECT/ENVIRONMENT, or PROJECT for all its environments, with * for anything within a name and ** for any names",
};
