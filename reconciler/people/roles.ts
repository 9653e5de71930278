import { type Role, roles } from "./access-schema.ts";
import { type EnvironmentPattern, readEnvironmentPattern } from "../policy/index.ts";

/** A role in some environments, in projects with their environments, or everywhere (`**`). */
export interface Grant {
  role: Role;
  environments: readonly EnvironmentPattern[];
  /** Where a service has many sources: for which of them; absent: for all. */
  isFor?(source: NamedSource): boolean;
}

/** A source of a service, as roles choose it. */
export interface NamedSource {
  name: string;
  team?: string;
}

/** Somebody who has come to the service. */
export interface Person {
  /** As people read it: `anna@example.com`. */
  name: string;
  grants: readonly Grant[];
}

/** Whether a person has a role. @param names of an environment or a project; none: everything */
export function may({ grants }: Pick<Person, "grants">, role: Role, names: readonly string[]): boolean {
  return grants.some(
    (grant) =>
      !grant.isFor &&
      roles.indexOf(grant.role) >= roles.indexOf(role) &&
      grant.environments.some((pattern) => pattern.matches(names)),
  );
}

/** The roles of a person in one of many sources. */
export function within({ name, grants }: Person, source: NamedSource): Person {
  return {
    name,
    grants: grants.flatMap(({ isFor, ...grant }) => (!isFor || isFor(source) ? [grant] : [])),
  };
}

/** A role everywhere. */
export function everywhere(role: Role): Grant {
  const all = readEnvironmentPattern("**");
  return { role, environments: "matches" in all ? [all] : [] };
}
