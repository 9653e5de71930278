import PQueue from "p-queue";
import { type Run, OperationError } from "../operations/index.ts";
import { type FollowResult, followDeployment, type ServiceProgress } from "./follow.ts";
import { hasLogs, type LogLine, readLogs } from "./logs.ts";
import type { DeploymentOrder } from "./order.ts";
import { readVersionBefore } from "./past-versions.ts";
import { startDeployment } from "./start.ts";
import { isIdle, type Statuses } from "../state/live/index.ts";

/** The end of the operation on one service, with the last log lines if it has failed. */
export interface ServiceOutcome extends ServiceProgress {
  /** Oldest first; absent where the API has none of its kind, or they could not be read. */
  logs?: LogLine[] | undefined;
  /** The version that the first failed service ran before, if its deployments tell. */
  before?: string | undefined;
}

export interface OrderOutcome {
  order: DeploymentOrder;
  /** `started`: not followed. `idle`: nothing to cancel. `unfinished`: it continues. `refused`: not started, as far as is known. */
  status: "started" | "idle" | "done" | "failed" | "unfinished" | "refused";
  services: ServiceOutcome[];
  ended?: FollowResult["ended"];
  /** Why it was not started, or why it could not be followed. */
  error?: unknown;
}

export interface OrderOptions {
  /** Environments that are worked on at the same time. */
  parallelism: number;
  /** How long each is followed, in milliseconds; absent: not at all. */
  wait?: number | undefined;
  /** Called after each check, with all services of the order. */
  onProgress?: (order: DeploymentOrder, services: readonly ServiceProgress[]) => void;
  /** Aborted when waiting is of no use any more: each order ends with the status known by then. */
  standstill?: AbortSignal | undefined;
}

/** Lines that are shown of a service that has failed, and how many services they are read of, for one order. */
export const lastLines = 10;
export const explained = 3;

/** Carries out orders independently of each other. Never throws. */
export async function carryOut(
  context: Run,
  orders: readonly DeploymentOrder[],
  options: OrderOptions,
): Promise<OrderOutcome[]> {
  const queue = new PQueue({ concurrency: options.parallelism });
  return Promise.all(
    orders.map((order) => {
      let known = unsent(order);
      const carriedOut = queue.add(() => {
        known = unclear(order);
        return carryOutOne(context, order, {
          ...options,
          together: orders.length,
          onStart: () => {
            known = stalled(order, []);
          },
          onProgress(itself, services) {
            known = stalled(order, services);
            options.onProgress?.(itself, services);
          },
        });
      });
      const { standstill } = options;
      if (!standstill) return carriedOut;
      const stopped = new Promise<OrderOutcome>((resolve) => {
        standstill.addEventListener("abort", () => resolve(known), { once: true });
      });
      return Promise.race([carriedOut, stopped]);
    }),
  );
}

const hasStopped = "the run was waiting for an event that will not happen";

/** The outcome of an order whose turn had not come when the run stood still. */
function unsent(order: DeploymentOrder): OrderOutcome {
  return { order, status: "refused", services: [], error: new Error(`it was not sent: ${hasStopped}`) };
}

/** The outcome of an order whose request was on its way when the run stood still. */
function unclear(order: DeploymentOrder): OrderOutcome {
  const error = new OperationError("unclear", `it may or may not have been started: ${hasStopped}`);
  return { order, status: "refused", services: [], error };
}

/** The outcome of an order that was being followed when the run stood still. */
function stalled(order: DeploymentOrder, services: readonly ServiceProgress[]): OrderOutcome {
  const error = new Error(`it was started, and infrasync no longer follows it: ${hasStopped}`);
  return { order, status: "unfinished", services: [...services], error };
}

/** Carries out one order. Never throws. `together`: how many the run follows at once; `onStart`: the server has started it. */
export async function carryOutOne(
  context: Run,
  order: DeploymentOrder,
  {
    wait,
    together,
    onStart,
    onProgress,
  }: Pick<OrderOptions, "wait" | "onProgress"> & { together: number; onStart?: () => void },
): Promise<OrderOutcome> {
  let before: Statuses;
  try {
    before = await startDeployment(context, order);
  } catch (error) {
    return { order, status: "refused", services: [], error };
  }
  if (order.action === "cancel" && isIdle(before.state)) return { order, status: "idle", services: [] };
  onStart?.();
  if (wait === undefined) return { order, status: "started", services: [] };
  let latest: readonly ServiceProgress[] = [];
  try {
    const { ended, services } = await followDeployment(context, order, before, {
      timeout: wait,
      together,
      onProgress(progress) {
        latest = progress;
        onProgress?.(order, progress);
      },
    });
    if (ended !== "final") return { order, status: "unfinished", services, ended };
    const isDone = services.every(({ result }) => result === "done" || result === "untouched");
    return {
      order,
      status: isDone ? "done" : "failed",
      services: isDone ? services : await explain(context, order, services),
      ended,
    };
  } catch (error) {
    return { order, status: "unfinished", services: [...latest], error };
  }
}

/** Explains the first failed services: one request for the log lines of each, one for the earlier version of the first. Failures of these requests are ignored. */
async function explain(
  { client }: Run,
  { environment }: DeploymentOrder,
  services: readonly ServiceProgress[],
): Promise<ServiceOutcome[]> {
  const failed = services.filter(({ result }) => result === "failed");
  const read = new Set<ServiceProgress>(failed.filter(({ service }) => hasLogs(service)).slice(0, explained));
  return Promise.all(
    services.map(async (progress) => {
      const { service, started } = progress;
      const [logs, before] = await Promise.all([
        read.has(progress) ? ifAnswered(readLogs(client, service, lastLines, started)) : undefined,
        progress === failed[0] ? ifAnswered(readVersionBefore(client, environment.id, service)) : undefined,
      ]);
      return { ...progress, ...(logs && { logs }), ...(before !== undefined && { before }) };
    }),
  );
}

async function ifAnswered<Value>(reading: Promise<Value>): Promise<Value | undefined> {
  try {
    return await reading;
  } catch {
    return undefined;
  }
}
