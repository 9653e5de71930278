import { type Address, addressKey } from "../../model/addresses/address.ts";
import type { Spent } from "../../api/index.ts";
import type { NormalizedField } from "../../model/fields/normalized-fields.ts";
import type { LogLine } from "../../deployments/index.ts";
import type { Fields } from "../../values/json.ts";
import type { Action } from "../../planning/plan/index.ts";
import type { Remedy } from "../../problems/remedy.ts";
import type { RemarkCode } from "../../problems/codes.ts";

/** The result of an action. */
export interface Outcome extends Pick<Action, "id" | "address" | "type" | "resourceId"> {
  /** `skipped`: nothing was sent for it. `pending`: started and not finished; the next run continues it. */
  status: "done" | "failed" | "skipped" | "pending";
  /** With `done`: somebody else has made this change since the plan. */
  already?: true;
  /** Why the action failed or was skipped. */
  message?: string;
  /** Remarks on a completed action for the user. */
  remarks?: readonly RemarkCode[] | undefined;
  /** Fields whose value the server has normalized; the next plan shows them again. */
  normalized?: readonly NormalizedField[] | undefined;
  /** Of a `done` deployment: it was started, and the run does not wait for its end. */
  goesOn?: true;
  /** Of a `done` update: the services that get the changes with their next deployment. */
  reaches?: readonly Address[];
  /** Of a failed deployment: the last log lines of the service, oldest first. */
  logs?: readonly LogLine[] | undefined;
  /** The version before a failed deployment, if the deployments of the service tell. */
  before?: string | undefined;
  remedies?: readonly Remedy[];
  /** That of an `ApiError`, or of a problem. */
  code?: string | undefined;
  /** The configuration and the former name of a resource that a replacement deleted and did not create again. */
  lost?: { renamedFrom?: string | undefined; fields: Fields };
}

export function outcomeOf(
  { id, address, type }: Action,
  status: Outcome["status"],
  more: Omit<Outcome, "id" | "address" | "type" | "status">,
): Outcome {
  return { id, address, type, status, ...more };
}

/** Why a run ended early. */
export interface Stop {
  /** `standstill`: the run was waiting for an event that will not happen. */
  reason: "unauthorized" | "forbidden" | "quota" | "server_failing" | "interrupted" | "standstill";
  message: string;
  remedies?: readonly Remedy[];
}

/** The result of a run. */
export interface Report {
  /** In the order of the plan. */
  outcomes: Outcome[];
  stopped?: Stop | undefined;
  /** Actions that continue after this report, because they only wait for the server; absent: none. */
  goesOn?: readonly Address[];
  spent: Spent;
}

/** Whether all planned actions are done. */
export function isComplete(report: Report): boolean {
  return report.outcomes.every(({ status }) => status === "done");
}

/** Whether all actions are done, except those that continue. */
export function isCompleteSoFar({ outcomes, goesOn = [] }: Report): boolean {
  const going = new Set(goesOn.map(addressKey));
  return outcomes.every(({ status, address }) => status === "done" || going.has(addressKey(address)));
}

/** An event during the execution of a plan. */
export interface Progress {
  event: "started" | "finished";
  action: Action;
  outcome?: Outcome;
  /** The finished actions, without skipped ones; `total`: all actions with a change. */
  finished: number;
  total: number;
}
