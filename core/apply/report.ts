import type { Address } from "../address.ts";
import type { Spent } from "../api/index.ts";
import type { UnkeptField } from "../fields/unkept.ts";
import type { LogLine } from "../deployments/index.ts";
import type { Fields } from "../json.ts";
import type { Action } from "../plan/index.ts";
import type { Remedy } from "../remedy.ts";

/** What became of an action. */
export interface Outcome {
  /** Of the action. */
  id: string;
  /** Of the resource. */
  address: Address;
  type: Action["type"];
  /** `skipped`: nothing was sent for it. `pending`: begun and not finished; the next run goes on with it. */
  status: "done" | "failed" | "skipped" | "pending";
  /** Of `done`: it was so before this run came to it, by what another has done since the plan. */
  already?: true;
  /** Of the resource, where it is known. */
  resourceId?: string;
  /** Why it failed or was skipped, or what is to be known. */
  message?: string;
  /** What the server has not kept as it was sent: the next plan shows it again. */
  unkept?: readonly UnkeptField[];
  /** Of a deployment that is done: it was started, and is not waited for. */
  goesOn?: true;
  /** Of a service whose deployment has failed: the last lines that it has written, oldest first. */
  logs?: readonly LogLine[];
  /** What would help. */
  remedies?: readonly Remedy[];
  /** Stable, for programs: the code of the error. */
  code?: string;
  /** After a replacement that deleted and did not make again: what the resource was to be, and its name before. */
  lost?: { renamedFrom?: string; fields: Fields };
}

/** Why a run ended before everything was tried. */
export interface Stop {
  /** `standstill`: the run waited for something that never comes. */
  reason: "unauthorized" | "forbidden" | "quota" | "interrupted" | "standstill";
  message: string;
  /** What would help. */
  remedies?: readonly Remedy[];
}

/** What a run did. */
export interface Report {
  /** In the order of the plan. */
  outcomes: Outcome[];
  stopped?: Stop;
  spent: Spent;
}

/** Whether everything that was planned has been done. */
export function isComplete(report: Report): boolean {
  return report.outcomes.every(({ status }) => status === "done");
}
