import { type Address, addressKey } from "../../model/addresses/address.ts";
import type { Spent } from "../../api/index.ts";
import type { NormalizedField } from "../../model/fields/normalized-fields.ts";
import type { LogLine } from "../../deployments/index.ts";
import type { Fields } from "../../values/json.ts";
import type { Action } from "../../planning/plan/index.ts";
import type { Remedy } from "../../problems/remedy.ts";
import type { RemarkCode } from "../../problems/codes.ts";

/** The result of an action. */
export interface Outcome {
  id: string;
  address: Address;
  type: Action["type"];
  /** `skipped`: nothing was sent for it. `pending`: begun and not finished; the next run continues it. */
  status: "done" | "failed" | "skipped" | "pending";
  /** With `done`: somebody else has made this change since the plan. */
  already?: true;
  resourceId?: string | undefined;
  /** Why the action failed or was skipped. */
  message?: string;
  /** Remarks on a completed action for the user. */
  remarks?: readonly RemarkCode[] | undefined;
  /** Fields whose value the server did not keep as it was sent; the next plan shows them again. */
  unkept?: readonly NormalizedField[] | undefined;
  /** Of a deployment that is done: it was started, and the run does not wait for its end. */
  goesOn?: true;
  /** Of an update that is done: the services inside that get the changes with their next deployment. */
  reaches?: readonly Address[];
  /** Of a service whose deployment has failed: the last lines that it has written, oldest first. */
  logs?: readonly LogLine[] | undefined;
  /** The version that a service ran before its failed deployment, if its deployments tell. */
  before?: string | undefined;
  remedies?: readonly Remedy[];
  /** The code of the error, which stays the same in all versions. */
  code?: string | undefined;
  /** After a replacement that deleted the resource and did not create it again: its configuration, and its former name. */
  lost?: { renamedFrom?: string | undefined; fields: Fields };
}

/** Why a run ended before everything was tried. */
export interface Stop {
  /** `standstill`: the run was waiting for an event that can no longer happen. */
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

/** Whether everything that was planned has been done. */
export function isComplete(report: Report): boolean {
  return report.outcomes.every(({ status }) => status === "done");
}

/** Whether everything has been done, except actions that continue. */
export function isCompleteSoFar({ outcomes, goesOn = [] }: Report): boolean {
  const going = new Set(goesOn.map(addressKey));
  return outcomes.every(({ status, address }) => status === "done" || going.has(addressKey(address)));
}

/** An event while a plan is carried out. */
export interface Progress {
  event: "started" | "finished";
  action: Action;
  outcome?: Outcome;
  /** Numbers of finished actions, without skipped ones, and of all actions; actions without a change do not count. */
  finished: number;
  total: number;
}
