import type { PlanPolicy } from "../../core/rules/policies/index.ts";
import type { Problem } from "../../core/problems/problem.ts";
import type { EnvironmentSettings } from "../../core/source/environments.ts";
import { declaredEnvironments, type SettingsFile } from "./file.ts";

/** What a settings file and those that can only forbid state beside single settings. */
export interface Sections {
  policies: readonly PlanPolicy[];
  policyProblems: readonly Problem[];
  environments: readonly EnvironmentSettings[];
  environmentProblems: readonly Problem[];
}

/** Reads the sections of settings files. What reads one is loaded where a file has it. */
export async function sectionsIn({ guards, ...file }: SettingsFile): Promise<Sections> {
  const files = [file, ...guards];
  const policies = files.flatMap(({ members }) => members.get("policies") ?? []);
  const { readPolicies } =
    policies.length > 0 ? await import("../../core/manifests/settings/policies.ts") : {};
  const read = readPolicies ? policies.map(readPolicies) : [];
  const declared = await Promise.all(files.map((each) => declaredEnvironments({ guards: [], ...each })));
  return {
    policies: read.flatMap((each) => each.policies),
    policyProblems: read.flatMap(({ problems }) => problems),
    environments: declared.flatMap(({ environments }) => environments),
    environmentProblems: declared.flatMap(({ problems }) => problems),
  };
}
