import { type EnvironmentState, losingIn, planText } from "../decide/index.ts";
import type { RequestTarget } from "../requests/index.ts";

type TargetFacts = Pick<EnvironmentState, "state" | "plan" | "unapprovable" | "applied" | "changes"> & {
  health: readonly { health: string }[];
};

/** The requests that people can make in an environment. @param deploys whether the service retries failed deployments */
export function targetOf(
  { plan: digest, unapprovable, changes = [], state, health = [], applied }: Partial<TargetFacts> = {},
  deploys: boolean,
): Pick<RequestTarget, "plan" | "unapprovable" | "isBlocked" | "hasFailed" | "applied"> {
  return {
    plan:
      digest === undefined ? undefined : { digest, losing: losingIn(changes), text: () => planText(changes) },
    unapprovable,
    isBlocked: state === "blocked",
    hasFailed: deploys && health.some((service) => service.health === "failed"),
    applied,
  };
}
