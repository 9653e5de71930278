import type { Run } from "../operations/index.ts";
import { readStatuses, type DeploymentAction, type DeploymentOrder, type OrderedService } from "./order.ts";
import { pauseBefore } from "./pace.ts";
import { hasStarted, isNewDeployment } from "./new-deployment.ts";
import {
  isIdle,
  meaningOf,
  type DeployedStatus,
  type StateMeaning,
  type Statuses,
  statusOf,
} from "../state/live/index.ts";

export interface ServiceProgress {
  service: OrderedService;
  /** As the API has it; empty where the server tells none, `DELETED` where it tells none any more. */
  state: string;
  /** When the operation began, as ISO 8601; absent where the server does not say. */
  started?: string;
  /** `untouched`: the operation on the environment is over and did not include this service. */
  result: StateMeaning | "untouched";
}

export interface FollowResult {
  state: string;
  services: ServiceProgress[];
  /** Why it is followed no more. */
  ended: "final" | "timeout" | "interrupted";
}

/** Reads the statuses of an environment until the operation on it is over, at growing intervals. */
export async function followDeployment(
  context: Run,
  order: DeploymentOrder,
  before: Statuses,
  {
    timeout,
    together,
    onProgress,
  }: {
    /** Milliseconds after which it is followed no more, done or not. */
    timeout: number;
    /** How many operations the run follows at the same time. */
    together: number;
    /** Called after each status check. */
    onProgress?: (services: readonly ServiceProgress[]) => void;
  },
): Promise<FollowResult> {
  const { client, clock, signal } = context;
  const started = clock.now();
  let now = before;
  let services = order.services.map((service): ServiceProgress => ({
    service,
    state: "",
    result: "unfinished",
  }));
  const missed = new Map<string, number>();
  for (let checks = 0; ; checks += 1) {
    const left = started + timeout - clock.now();
    if (left <= 0) return { state: now.state, services, ended: "timeout" };
    await clock.sleep(Math.min(left, pauseBefore(checks, together, client.budget, clock.now())), signal);
    if (signal?.aborted) return { state: now.state, services, ended: "interrupted" };
    now = await readStatuses(context, order, client);
    countAbsences(missed, before, now, order);
    services = progressOf(order, before, now).map((progress) =>
      // Two checks in a row: it is deleted.
      (missed.get(progress.service.id) ?? 0) >= 2
        ? { ...progress, state: "DELETED", result: "failed" }
        : progress,
    );
    onProgress?.(services);
    context.onDeployment?.(services);
    if (isOver(order, before, now, services)) return { state: now.state, services, ended: "final" };
  }
}

/** Counts for each service the status checks in a row that lack a status that was there before. */
function countAbsences(
  missed: Map<string, number>,
  before: Statuses,
  now: Statuses,
  { services }: DeploymentOrder,
) {
  for (const { id } of services) {
    if (statusOf(now, id)) missed.set(id, 0);
    else if (missed.has(id) || statusOf(before, id)) missed.set(id, (missed.get(id) ?? 0) + 1);
  }
}

function isOver(
  { action, isWhole }: DeploymentOrder,
  before: Statuses,
  now: Statuses,
  services: readonly ServiceProgress[],
): boolean {
  if (action === "cancel") return isIdle(now.state);
  if (isWhole && !isEnvironmentDone(before, now)) return false;
  return services.every(({ result }) => result !== "unfinished");
}

function isEnvironmentDone(before: Statuses, now: Statuses): boolean {
  return isNewDeployment(before, now) && meaningOf(now.state) !== "unfinished";
}

function progressOf(
  { action, isWhole, services }: DeploymentOrder,
  before: Statuses,
  now: Statuses,
): ServiceProgress[] {
  const isPast = action === "cancel" ? isIdle(now.state) : isWhole && isEnvironmentDone(before, now);
  return services.map((service) => {
    const status = statusOf(now, service.id);
    const earlier = statusOf(before, service.id);
    const isReached = action === "cancel" ? !isIdle(earlier?.state ?? "READY") : hasStarted(earlier, status);
    const result = isReached ? resultOf(action, status) : isPast ? "untouched" : "unfinished";
    const started = isReached ? status?.deployedAt : undefined;
    return { service, state: status?.state ?? "", result, ...(started !== undefined && { started }) };
  });
}

/** The result of a service. A service that somebody stopped after its deployment does not run. */
function resultOf(action: DeploymentAction, status: DeployedStatus | undefined): StateMeaning {
  const state = status?.state ?? "";
  const meaning = meaningOf(state);
  if (action === "cancel") return meaning === "canceled" ? "done" : meaning;
  return meaning === "done" && state === "STOPPED" && action !== "stop" ? "failed" : meaning;
}
