import { type DeployedStatus, isFailedDeployment, isIdle } from "../state/live/index.ts";

/** The health of a service, the worst first. `slow`: longer than it should take; `halted`: cancelled, uninstalled, or not stopped. */
export const healthStates = ["failed", "slow", "halted", "deploying", "healthy"] as const;

export type HealthState = (typeof healthStates)[number];

const halts: ReadonlySet<string> = new Set(["CANCELED", "DELETED", "DELETE_ERROR", "STOP_ERROR"]);

/** The health of a service `now`, by the server's clock, if a deployment may take `limit` ms; undefined: never deployed. */
export function healthOf(
  { state, deployedAt }: DeployedStatus,
  now: number,
  limit: number,
): HealthState | undefined {
  if (isFailedDeployment(state)) return "failed";
  if (state === "READY") return undefined;
  if (halts.has(state)) return "halted";
  if (isIdle(state)) return "healthy";
  return deployedAt !== undefined && now - Date.parse(deployedAt) > limit ? "slow" : "deploying";
}
