import { article } from "../../values/text.ts";
import { type Client, unexpectedAnswer } from "../../api/index.ts";
import { isFields, type Json, textsIn } from "../../values/json.ts";
import { keysChangedSince, type PartEntry } from "../../model/parts/index.ts";
import type { LiveResource } from "./resource.ts";

/** Whether the service runs its current configuration. */
export type DeploymentStatus = "NEVER_DEPLOYED" | "OUT_OF_DATE" | "UP_TO_DATE";

/** The status of a service. */
export interface DeployedStatus {
  id: string;
  /** As the API has it: `DEPLOYED`, `BUILDING`. */
  state: string;
  deploymentStatus: DeploymentStatus | undefined;
  /** Of the last deployment that it was part of. */
  executionId: string | undefined;
  /** When that began, as ISO 8601. */
  deployedAt: string | undefined;
}

/** The status of a parent, and of all services in it. */
export interface Statuses {
  state: string;
  lastDeploymentId: string | undefined;
  deployedAt: string | undefined;
  /** Whether nothing was ever deployed there, so that no write changes a status but those of new services. */
  isUndeployed: boolean;
  /** By the id of the service, in lower case. Services that are made later join them while nothing was ever deployed. */
  services: Map<string, DeployedStatus>;
}

/** The statuses in a parent that was created from nothing. */
export function ofNewParent(): Statuses {
  return {
    state: "READY",
    lastDeploymentId: undefined,
    deployedAt: undefined,
    isUndeployed: true,
    services: new Map(),
  };
}

/** Enters a service in a parent in which nothing was ever deployed. */
export function enterUndeployed({ isUndeployed: isNew, services }: Statuses, id: string): void {
  if (!isNew || services.has(id.toLowerCase())) return;
  const status = { id, state: "READY", executionId: undefined, deployedAt: undefined };
  services.set(id.toLowerCase(), { ...status, deploymentStatus: "NEVER_DEPLOYED" });
}

/** Reads the status of a parent, and of all services in it: one request. `longest`: the length of the longest list in the answer */
export async function readStatuses(
  client: Client,
  { kind, id }: Pick<LiveResource, "kind" | "id">,
): Promise<Statuses & { longest: number }> {
  const where = kind.jointDeployment?.statuses(id);
  if (where === undefined) throw new TypeError(`${article(kind.name)} has no statuses`);
  const answer = await client.get(where);
  const { [kind.slug]: own, ...lists } = isFields(answer) ? answer : {};
  const parent = textsIn(own, ["state"], ["last_deployment_id", "last_deployment_date"]);
  if (!parent) throw unexpectedAnswer(where, `the server gives no status of the ${kind.name}`);
  const entries = Object.values(lists).filter((list) => Array.isArray(list));
  const services = entries.flat().map((entry) => toStatus(entry, where));
  const { state } = parent;
  return {
    state,
    longest: Math.max(0, ...entries.map(({ length }) => length)),
    isUndeployed: state === "READY" && services.every(isUndeployed),
    lastDeploymentId: parent.last_deployment_id,
    deployedAt: parent.last_deployment_date,
    services: new Map(services.map((status) => [status.id.toLowerCase(), status])),
  };
}

function isUndeployed({ state, deploymentStatus }: DeployedStatus): boolean {
  return state === "READY" && deploymentStatus === "NEVER_DEPLOYED";
}

/** The status of a service; undefined where the server tells none. */
export function statusOf({ services }: Statuses, id: string): DeployedStatus | undefined {
  return services.get(id.toLowerCase());
}

/** @throws UnexpectedAnswerError for one without a state: whether its service runs is unknown */
function toStatus(entry: Json, where: string): DeployedStatus {
  const status = textsIn(
    entry,
    ["id", "state"],
    ["service_deployment_status", "execution_id", "last_deployment_date"],
  );
  if (!status) throw unexpectedAnswer(where, "the server gives a status of a service without its state");
  return {
    id: status.id,
    state: status.state,
    deploymentStatus: deploymentStatuses.find((each) => each === status.service_deployment_status),
    executionId: status.execution_id,
    deployedAt: status.last_deployment_date,
  };
}

const deploymentStatuses: readonly DeploymentStatus[] = ["NEVER_DEPLOYED", "OUT_OF_DATE", "UP_TO_DATE"];

/** Whether a service runs something else than it is configured for now: a plan deploys it, whatever became of its last deployment. */
export function isOutOfDate({ deploymentStatus }: Pick<DeployedStatus, "deploymentStatus">): boolean {
  return deploymentStatus === "OUT_OF_DATE";
}

/** The result of the operation that led to a state of a service or of its parent. */
export type StateMeaning = "done" | "failed" | "canceled" | "unfinished";

const finalStates: Readonly<Record<string, StateMeaning>> = {
  DEPLOYED: "done",
  RESTARTED: "done",
  STOPPED: "done",
  BUILD_ERROR: "failed",
  DEPLOYMENT_ERROR: "failed",
  RESTART_ERROR: "failed",
  STOP_ERROR: "failed",
  DELETE_ERROR: "failed",
  DELETED: "failed",
  CANCELED: "canceled",
};

/** The meaning of a state. A state that is not final, or that this version does not know, is unfinished. */
export function meaningOf(state: string): StateMeaning {
  return Object.hasOwn(finalStates, state) ? (finalStates[state] ?? "unfinished") : "unfinished";
}

const failedDeployments: ReadonlySet<string> = new Set(["BUILD_ERROR", "DEPLOYMENT_ERROR", "RESTART_ERROR"]);

/** Whether a service does not run because its last deployment failed. One that was stopped or cancelled was meant to. */
export function isFailedDeployment(state: string): boolean {
  return failedDeployments.has(state);
}

/** In words why a service does not run as it is applied; undefined if it does, if nobody knows, or while it is deployed. */
export function whyNotRunning({ state, deploymentStatus }: DeployedStatus): string | undefined {
  if (deploymentStatus === "NEVER_DEPLOYED" && isIdle(state)) return "never deployed";
  if (!isIdle(state)) return undefined;
  if (state === "STOPPED" || meaningOf(state) !== "done") return state;
  return deploymentStatus === "OUT_OF_DATE" ? "does not run the applied configuration yet" : undefined;
}

/** The keys of what a service has from resources around it and that has changed since its last deployment began; none if it does not run. */
export function changesToDeploy(
  { state, deployedAt }: DeployedStatus,
  around: readonly PartEntry[],
): string[] {
  return deployedAt === undefined || state === "STOPPED" ? [] : keysChangedSince(around, deployedAt);
}

/** Whether nothing has ever been deployed, or nothing is under way. */
export function isIdle(state: string): boolean {
  return state === "READY" || meaningOf(state) !== "unfinished";
}
