import { type Identity, isSame } from "../identity.ts";
import { modeOf } from "../policy/index.ts";
import type { ServiceHealth } from "./health.ts";
import type { RolledBack, ShareCommit, ShareView } from "./view.ts";

/** Who has asked for a rollback that the policy wants after a failed deployment. */
export const onFailure: Identity = { id: "on_failure", name: "on_failure" };

/** `rolled back to 20d7f1e at 2026-12-01T08:00:00.000Z by anna`. */
export function rollbackText({ commit, by, at }: RolledBack): string {
  const who = isSame(by, onFailure) ? "because a deployment had failed" : `by ${by.name}`;
  return `rolled back to ${commit.slice(0, 7)} at ${at} ${who}`;
}

/** A rollback that the policy wants. */
export interface PolicyRollback {
  share: ShareView;
  to: ShareCommit;
  /** `api failed: image not found` */
  reasons: string[];
}

/** The clocks of the server and of this machine may differ by so much, in milliseconds. */
const tolerance = 60_000;

/**
 * The commit to which a share is rolled back, as the policy wants it: one of its services has failed in a deployment that
 * began with the documents in force, and no retry follows. Undefined if nothing is to be rolled back, or these documents were rolled back before.
 */
export function rollbackOf(
  { rules, rollout = {}, rolledBack, digest }: ShareView,
  { health }: { health: readonly ServiceHealth[] },
): ShareCommit | undefined {
  const { begun, healthy, givenUp } = rollout;
  if (rules.onFailure !== "rollback" || modeOf(rules, true) !== "apply" || rolledBack) return undefined;
  if (!healthy || healthy.digest === digest || givenUp === digest || begun?.digest !== digest)
    return undefined;
  const isOurs = health.some(
    (service) =>
      service.health === "failed" &&
      service.begun !== undefined &&
      Date.parse(service.begun) >= begun.at - tolerance,
  );
  return isOurs ? healthy : undefined;
}
