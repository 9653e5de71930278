import { type EnvironmentState, losingIn, planText } from "../decide/index.ts";
import { reasonToHold, reasonUntilCommit, type Rules } from "../policy/index.ts";
import type { RequestTarget } from "../requests/index.ts";

/** The requests that people can make in an environment. @param deploys whether the service retries failed deployments @param rules the present ones */
export function targetOf(
  {
    plan: digest,
    unapprovable,
    delay,
    changes = [],
    state,
    health = [],
    applied,
  }: Partial<Pick<EnvironmentState, "plan" | "unapprovable" | "delay" | "changes" | "state" | "applied">> & {
    health?: readonly { health: string }[];
  } = {},
  deploys: boolean,
  rules: Rules | undefined,
): Omit<RequestTarget, "commits"> {
  return {
    plan:
      digest === undefined ? undefined : { digest, losing: losingIn(changes), text: () => planText(changes) },
    unapprovable: (rules && reasonUntilCommit(rules)) ?? unapprovable,
    delay: (rules && reasonToHold(rules)) ?? delay,
    rules,
    isBlocked: state === "blocked",
    hasFailed: deploys && health.some((service) => service.health === "failed"),
    applied,
  };
}
