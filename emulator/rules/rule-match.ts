import type { Environment, ProjectRule } from "../world/records.ts";
import type { World } from "../world/world.ts";
import { setRule } from "./schedule.ts";

export function rulesOf(projectId: string, { store }: World): ProjectRule[] {
  return store.projectRules.under(projectId).toSorted((a, b) => a.order - b.order);
}

export function ruleForName(name: string, projectId: string, world: World): ProjectRule | undefined {
  return rulesOf(projectId, world).find(({ spec }) => fits(spec.wildcard, name));
}

/** Gives a new environment the hours of the first rule of its project that matches its name, its mode and its cluster. */
export function applyRules(environment: Environment, world: World): void {
  const { mode, clusterId } = environment.spec;
  const rule = rulesOf(environment.parentId, world).find(
    ({ spec }) =>
      spec.mode === mode && spec.cluster_id === clusterId && fits(spec.wildcard, environment.name),
  );
  if (rule) applyRule(environment, rule, world);
}

export function applyRule(environment: Environment, { spec }: ProjectRule, world: World): void {
  const { auto_stop = false, timezone, start_time, stop_time, weekdays } = spec;
  setRule(environment, { ...environment.rule, auto_stop, timezone, start_time, stop_time, weekdays }, world);
}

/** Case-insensitive; `*` stands for any characters, and an empty wildcard matches everything. */
function fits(wildcard: string, name: string): boolean {
  if (wildcard === "") return true;
  const [first = "", ...rest] = wildcard.toLowerCase().split("*");
  const text = name.toLowerCase();
  if (!text.startsWith(first)) return false;
  const last = rest.pop();
  if (last === undefined) return text === first;
  let position = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, position);
    if (found === -1) return false;
    position = found + part.length;
  }
  return text.length - last.length >= position && text.endsWith(last);
}
