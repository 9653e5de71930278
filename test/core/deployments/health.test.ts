import { expect, test } from "vitest";
import { healthOf, type HealthState } from "../../../core/deployments/index.ts";

const now = Date.parse("2026-11-23T12:00:00Z");
const limit = 1_800_000;

test.each<[state: string, minutes: number | undefined, health: HealthState | undefined]>([
  ["READY", undefined, undefined],
  ["DEPLOYED", 90, "healthy"],
  ["RESTARTED", 90, "healthy"],
  ["STOPPED", 90, "healthy"],
  ["DEPLOYMENT_ERROR", 1, "failed"],
  ["BUILD_ERROR", 1, "failed"],
  ["RESTART_ERROR", 1, "failed"],
  ["CANCELED", 1, "halted"],
  ["DELETED", 1, "halted"],
  ["DELETE_ERROR", 1, "halted"],
  ["STOP_ERROR", 1, "halted"],
  ["DEPLOYING", 29, "deploying"],
  ["DEPLOYING", 31, "slow"],
  ["a state of another version", 29, "deploying"],
  ["a state of another version", 31, "slow"],
])("a service that has been in the state %s for %s minutes is %s", (state, minutes, health) => {
  const status = {
    id: "a",
    state,
    deploymentStatus: undefined,
    executionId: undefined,
    deployedAt: minutes === undefined ? undefined : new Date(now - minutes * 60_000).toISOString(),
  };
  expect(healthOf(status, now, limit)).toBe(health);
});
