import { kindOf } from "../../core/kinds/index.ts";
import { deployment } from "./deployment.ts";
import { Entries } from "./entries.ts";
import { kindResource } from "./kind-resource.ts";
import type { ProgramResource, ResourceLifecycle } from "./program-resource.ts";

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

/** What a program can do with resources of a kind, or of those that exist only in programs. */
export function lifecycleOf(name: string): ResourceLifecycle {
  return programResource(name) ?? kindResource(kindOf(name));
}
