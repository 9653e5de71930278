import { findKind } from "../../core/kinds/index.ts";
import { deployment } from "./deployment.ts";
import { RefusedError } from "./errors.ts";
import { kindResource } from "./kind-resource.ts";
import type { ProgramResource, ResourceLifecycle } from "./program-resource.ts";

/** The resources that exist only in programs. */
export const programResources: readonly ProgramResource[] = [deployment];

/** The resource of programs with that name; undefined for the name of a kind. */
export function programResource(name: string): ProgramResource | undefined {
  return programResources.find((each) => each.name === name);
}

/** What a program can do with resources of a kind, or of those that exist only in programs. */
export function lifecycleOf(name: string): ResourceLifecycle {
  const kind = findKind(name);
  const found = kind ? kindResource(kind) : programResource(name);
  if (found) return found;
  throw new RefusedError(
    `this version of infrasync has no resource ${name}; \`pulumi state delete\` with its URN takes it out of the state, and leaves what it stands for on the server`,
  );
}
