import type { Identity } from "../identity.ts";
import { type Role, roles } from "./access-schema.ts";
import { type EnvironmentScope, readEnvironmentScope } from "../../core/model/addresses/scope.ts";

/** A role in some environments, in projects with their environments, or everywhere (`**`). */
export interface Grant {
  role: Role;
  environments: readonly EnvironmentScope[];
  /** Where a service has many sources: for which of them; absent: for all. */
  isFor?(source: NamedSource): boolean;
}

/** A source of a service, as roles choose it. */
export interface NamedSource {
  name: string;
  team?: string | undefined;
}

/** Somebody who has come to the service. */
export interface Person {
  identity: Identity;
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

/** The roles of a person in a source. @param source one of many; undefined: the only one, which no role can name */
export function within({ identity, grants }: Person, source: NamedSource | undefined): Person {
  return {
    identity,
    grants: grants.flatMap(({ isFor, ...grant }) =>
      !isFor || (source !== undefined && isFor(source)) ? [grant] : [],
    ),
  };
}

export function everywhere(role: Role): Grant {
  const all = readEnvironmentScope("**");
  return { role, environments: "matches" in all ? [all] : [] };
}

/** A program of the service that sees everything, and is nobody. */
export const observer: Person = {
  identity: { id: "observer", name: "observer" },
  grants: [everywhere("see")],
};
