import type { PlanPolicy } from "../../core/policies/index.ts";

/** The policies of several settings, each once: what one of them forbids is forbidden. */
export function policiesOfAll(
  settings: readonly ({ policies: readonly PlanPolicy[] } | undefined)[],
): PlanPolicy[] {
  const all = settings.flatMap((each) => each?.policies ?? []);
  return [...new Map(all.map((policy) => [policy.text, policy])).values()];
}
