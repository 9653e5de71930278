import { healthStates } from "../../../core/deployments/index.ts";
import type { Budget } from "../../../core/api/index.ts";
import type { ServedMetrics } from "../shown-source.ts";
import { previewStates } from "../../previews/index.ts";
import type { Board } from "../board.ts";
import { isEnvironment, sourceStateOf } from "../visible-status.ts";
import { Measures, metricsText } from "./measures.ts";

/** The results of notifications since the start of the service. */
export interface Deliveries {
  waiting: number;
  delivered: number;
  failed: number;
  /** Notifications that were refused for good, or are more than the outbox keeps. */
  lost: number;
}

/** The remaining quota of a token. */
export interface TokenQuota {
  /** A prefix of the token's digest. */
  token: string;
  budget: Budget;
}

/** The metrics of a source. */
export interface SourceMetrics extends ServedMetrics {
  measures: Measures;
  quota(): TokenQuota;
  /** @param duration milliseconds */
  cycleEnded(result: "done" | "failed", duration: number): void;
  requested(): void;
}

export function sourceMetrics(settings: {
  board: Board;
  version: string;
  /** Undefined: the service has only one source. */
  named?: { name: string; team?: string | undefined } | undefined;
  quota(): TokenQuota;
  deliveries(): Deliveries | undefined;
}): SourceMetrics {
  const { board, version, named, quota, deliveries } = settings;
  const measures = new Measures(named && { source: named.name, team: named.team ?? "" });
  const cycles = measures.counter("infrasync_cycles_total");
  for (const result of ["done", "failed"]) cycles.inc({ result }, 0);
  const durations = measures.histogram("infrasync_cycle_duration_seconds", [0.5, 2, 10, 60, 300, 1800]);
  const requests = measures.counter("infrasync_api_requests_total");
  addStates(measures, board);
  addSource(measures, board);
  addNotifications(measures, deliveries);
  // Those of its process, if it has no page of its own.
  const service = new Measures();
  addService(service, version, () => [quota()]);
  return {
    measures,
    quota,
    read: () => metricsText([measures, service]),
    cycleEnded(result, duration) {
      cycles.inc({ result });
      durations.observe(duration / 1000);
    },
    requested: () => requests.inc(),
  };
}

function addStates(measures: Measures, board: Board): void {
  measures.read("infrasync_environment_state", (set) => {
    for (const { name: environment, state } of board.status().environments)
      if (isEnvironment(environment)) set(1, { environment, state });
  });
  measures.read("infrasync_project_state", (set) => {
    for (const { name: project, state } of board.status().environments)
      if (!isEnvironment(project)) set(1, { project, state });
  });
  measures.read("infrasync_environment_knowledge_age_seconds", (set) => {
    const { environments, now } = board.status();
    for (const { name: environment, known_since: since } of environments)
      set(since === undefined ? undefined : (Date.parse(now) - Date.parse(since)) / 1000, { environment });
  });
  measures.read("infrasync_environment_unmanaged", (set) => {
    for (const { name: environment, unmanaged } of board.status().environments)
      set(unmanaged?.length, { environment });
  });
  measures.read("infrasync_services", (set) => {
    const services = board.status().environments.flatMap((each) => each.services);
    for (const health of healthStates)
      set(services.filter((each) => each.health === health).length, { health });
  });
  measures.read("infrasync_previews", (set) => {
    const { previews = [] } = board.status();
    for (const state of previewStates) set(previews.filter((each) => each.state === state).length, { state });
  });
}

function addSource(measures: Measures, board: Board): void {
  measures.read("infrasync_source_state", (set) => set(1, { state: sourceStateOf(board, board.status()) }));
  measures.read("infrasync_source_in_doubt", (set) =>
    set(board.status().in_doubt || !board.isAlive() ? 1 : 0),
  );
  measures.read("infrasync_source_checked_timestamp_seconds", (set) =>
    set(seconds(board.status().checked_at)),
  );
  measures.read("infrasync_source_stale_timestamp_seconds", (set) => set(seconds(board.status().stale_at)));
  measures.read("infrasync_newest_commit_not_applied", (set) => set(board.status().not_applied ? 1 : 0));
  measures.read("infrasync_failed_cycles", (set) => set(board.status().failure?.failures ?? 0));
}

export function addNotifications(measures: Measures, deliveries: () => Deliveries | undefined): void {
  measures.read("infrasync_notifications_waiting", (set) => set(deliveries()?.waiting));
  measures.read("infrasync_notifications_total", (set) => {
    const all = deliveries();
    for (const result of ["delivered", "failed", "lost"] as const) set(all?.[result], { result });
  });
}

function seconds(time: string | undefined): number | undefined {
  return time === undefined ? undefined : Date.parse(time) / 1000;
}

/** The metrics of a process. @param quotas of the tokens of all sources */
export function addService(service: Measures, version: string, quotas: () => readonly TokenQuota[]): void {
  for (const [name, member] of [
    ["infrasync_api_quota_limit", "limit"],
    ["infrasync_api_quota_remaining", "remaining"],
  ] as const)
    service.read(name, (set) => {
      for (const [token, its] of Map.groupBy(quotas(), (each) => each.token)) {
        const known = its.flatMap(({ budget }) => budget[member] ?? []);
        set(known.length === 0 ? undefined : Math.min(...known), { token });
      }
    });
  service.read("infrasync_build_info", (set) => set(1, { version }));
}
