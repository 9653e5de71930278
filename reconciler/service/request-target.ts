import { type Change, losingIn, planText } from "../decide/index.ts";
import type { RequestTarget } from "../requests/index.ts";

/** What people can ask for in an environment, as it stands. @param deploys whether the service deploys again what has failed */
export function targetOf(
  standing:
    | {
        state: string;
        plan?: string | undefined;
        applied?: string | undefined;
        changes: readonly Change[];
        health: readonly { health: string }[];
      }
    | undefined,
  deploys: boolean,
): Pick<RequestTarget, "plan" | "isBlocked" | "hasFailed" | "applied"> {
  const { plan: digest, changes = [], state, health = [], applied } = standing ?? {};
  return {
    plan:
      digest === undefined ? undefined : { digest, losing: losingIn(changes), text: () => planText(changes) },
    isBlocked: state === "blocked",
    hasFailed: deploys && health.some((service) => service.health === "failed"),
    applied,
  };
}
