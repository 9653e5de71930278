import { deployment } from "./deployment.ts";
import type { ProgramResource } from "./program-resource.ts";
import { secret, variable } from "./variable.ts";

/** The resources of programs that are no kinds. */
export const programResources: readonly ProgramResource[] = [deployment, variable, secret];

/** The one of that name; undefined for a kind. */
export function programResource(name: string): ProgramResource | undefined {
  return programResources.find((each) => each.name === name);
}
