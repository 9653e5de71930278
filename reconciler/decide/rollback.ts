import { type Identity, isSame } from "../identity.ts";
import { modeOf } from "../policy/index.ts";
import type { ServiceHealth } from "./health.ts";
import type { RolledBack, EnvironmentCommit, EnvironmentView } from "./view.ts";

/** The requester of a rollback by the policy after a failed deployment. */
export const onFailure: Identity = { id: "on_failure", name: "on_failure" };

export function rollbackText({ commit, by, at }: RolledBack): string {
  const who = isSame(by, onFailure) ? "because a deployment had failed" : `by ${by.name}`;
  return `rolled back to ${commit.slice(0, 7)} at ${at} ${who}`;
}

export interface PolicyRollback {
  environment: EnvironmentView;
  to: EnvironmentCommit;
  reasons: string[];
}

/** The tolerated difference between the server's clock and this machine's, in milliseconds. */
export const clockTolerance = 60_000;

/** The commit to which the policy rolls an environment back whose deployment has failed without a further retry; undefined: none, or it was done before. */
export function rollbackOf(
  { rules, rollout = {}, rolledBack, digest }: EnvironmentView,
  { health }: { health: readonly ServiceHealth[] },
): EnvironmentCommit | undefined {
  const { started, healthy, givenUp } = rollout;
  if (rules.onFailure !== "rollback" || modeOf(rules, true) !== "apply" || rolledBack) return undefined;
  if (!healthy || healthy.digest === digest || givenUp === digest || started?.digest !== digest)
    return undefined;
  const isOurs = health.some(
    (service) =>
      service.health === "failed" &&
      service.started !== undefined &&
      Date.parse(service.started) >= started.at - clockTolerance,
  );
  return isOurs ? healthy : undefined;
}
