import { observer } from "../../people/index.ts";
import type { FleetBoard } from "../fleet-board.ts";
import { sourceStates } from "../status-form.ts";
import type { ServedMetrics } from "../shown-source.ts";
import { Measures, metricsText } from "./measures.ts";
import { addNotifications, addService, type Deliveries, type SourceMetrics } from "./source-metrics.ts";

/** The metrics of a worker: of each source that it runs, of those that no worker runs, and of itself. */
export function fleetMetrics(settings: {
  board: FleetBoard;
  version: string;
  running(): ReadonlyMap<string, SourceMetrics>;
  deliveries(): Deliveries | undefined;
}): ServedMetrics {
  const { board, version, running, deliveries } = settings;
  const service = new Measures();
  addService(service, version, () => [...running().values()].map((source) => source.quota()));
  addNotifications(service, deliveries);
  service.read("infrasync_fleet_sources", (set) => {
    const counts = Map.groupBy(board.status(observer).sources, ({ state }) => state);
    for (const state of sourceStates) set(counts.get(state)?.length ?? 0, { state });
  });
  service.read("infrasync_database_up", (set) =>
    set(board.answerSeconds !== undefined ? (board.status(observer).database ? 0 : 1) : undefined),
  );
  service.read("infrasync_database_answer_seconds", (set) => set(board.answerSeconds));
  return {
    read() {
      const own = running();
      const { sources, database } = board.status(observer);
      const alone = sources
        .filter(({ name, state, worker }) => !own.has(name) && (database || !worker || state === "down"))
        .map(({ name, team = "", state, in_doubt: doubt }) => {
          const measures = new Measures({ source: name, team });
          measures.read("infrasync_source_state", (set) => set(1, { state }));
          measures.read("infrasync_source_in_doubt", (set) => set(doubt || state === "down" ? 1 : 0));
          return measures;
        });
      return metricsText([...[...own.values()].map(({ measures }) => measures), ...alone, service]);
    },
  };
}
