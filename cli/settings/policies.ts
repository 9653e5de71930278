import type { PlanPolicy } from "../../core/policies/index.ts";
import type { Problem } from "../../core/problem.ts";
import type { SettingsFile } from "./file.ts";

/** Reads the policies of a settings file and of those that can only forbid. The language of conditions is loaded if there are any. */
export async function policiesIn({
  guards,
  ...file
}: SettingsFile): Promise<{ policies: PlanPolicy[]; problems: Problem[] }> {
  const stated = [file, ...guards].flatMap(({ members }) => members.get("policies") ?? []);
  if (stated.length === 0) return { policies: [], problems: [] };
  const { readPolicies } = await import("../../core/policies/read.ts");
  const read = stated.map(readPolicies);
  return {
    policies: read.flatMap(({ policies }) => policies),
    problems: read.flatMap(({ problems }) => problems),
  };
}
