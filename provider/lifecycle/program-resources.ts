import { deployment } from "./deployment.ts";
import { Entries } from "./entries.ts";
import type { ProgramResource } from "./program-resource.ts";

/** The resources that exist only in programs. */
export const programResources: readonly ProgramResource[] = [
  deployment,
  new Entries("Variable"),
  new Entries("Secret"),
];

/** The resource of programs with that name; undefined for the name of a kind. */
export function programResource(name: string): ProgramResource | undefined {
  return programResources.find((each) => each.name === name);
}
