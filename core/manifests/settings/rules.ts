import type { PlanPolicy } from "../../rules/policies/index.ts";
import { placeOf, type Problem } from "../../problems/problem.ts";
import { isSlip } from "../../model/schema/suggest.ts";
import type { Scope } from "../../model/addresses/scope.ts";
import { readSettingsText } from "./file.ts";
import { caps } from "./values.ts";

export interface TeamRules {
  policies: readonly PlanPolicy[];
  protect: readonly Scope[];
  /** The limit of losses in one run, and its line; absent: none. */
  maxDeletes?: { count: number; file: string };
}

const rules = ["policies", "environments", "protect", "max_deletes"] as const;

/** Reads only the rules of a settings file. @param file its name in messages */
export async function readRules(
  text: string,
  file: string,
): Promise<{ rules: TeamRules | undefined; problems: readonly Problem[] }> {
  const { members, problems } = await readSettingsText(text, file);
  // Most programs have no such file, and do not load the language of conditions.
  const [{ readPolicies }, { readEnvironments }, patterns] = await Promise.all([
    import("./policies.ts"),
    import("./environments.ts"),
    import("./patterns.ts"),
  ]);
  const wrong = (mistake: Pick<Problem, "message" | "advice" | "position">) =>
    problems.push({ code: "setting", ...mistake });
  for (const [member, { key: position }] of members) {
    const meant = rules.find((rule) => isSlip(member, rule));
    if (meant !== undefined && meant !== member)
      wrong({ message: `unknown setting ${member}`, advice: `did you mean ${meant}?`, position });
  }
  const [policies, environments, protect, limit] = rules.map((member) => members.get(member));
  const read = policies && readPolicies(policies);
  const declared = environments && readEnvironments(environments);
  problems.push(...(read?.problems ?? []), ...(declared?.problems ?? []));
  const protectedOnes = [
    ...(protect ? patterns.readProtect(protect, problems) : []),
    ...patterns.protectIn(declared?.environments ?? [], problems),
  ];
  const most = limit ? caps(String(limit.value)) : { value: {} };
  if (limit && "wrong" in most)
    wrong({ message: `max_deletes ${most.wrong}`, advice: most.advice, position: limit.position });
  const count = "value" in most ? most.value.count : undefined;
  if (!read && protectedOnes.length === 0 && count === undefined) return { problems, rules: undefined };
  return {
    problems,
    rules: {
      policies: read?.policies ?? [],
      protect: protectedOnes,
      ...(limit && count !== undefined && { maxDeletes: { count, file: placeOf(limit.position) ?? file } }),
    },
  };
}
