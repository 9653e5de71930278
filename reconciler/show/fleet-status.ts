import type { FleetView } from "./fleet-board.ts";
import type { FleetStatus } from "./fleet-status-form.ts";
import { dated, iso } from "./status.ts";

/** The state of many sources in the form for programs. */
export function fleetStatusOf({ now, sources, problems, idle, unread, database }: FleetView): FleetStatus {
  return {
    format: "infrasync-fleet-status",
    version: 1,
    now: iso(now),
    in_step: sources.filter(({ state }) => state === "in_step").length,
    sources: sources.map(({ name, team, repository, state, environments, ...source }) => ({
      name,
      team,
      repository,
      state,
      in_step: source.inStep,
      environments,
      checked_at: source.checkedAt === undefined ? undefined : iso(source.checkedAt),
      in_doubt: dated(source.doubt),
      failure: dated(source.failure),
      worker: source.worker && {
        name: source.worker.name,
        host: source.worker.host,
        seen_at: iso(source.worker.seenAt),
      },
      stopped: source.stopped && { since: iso(source.stopped.since), left: [...source.stopped.left] },
      ending: source.isEnding || undefined,
    })),
    problems: [...problems],
    notes: idle.length > 0 ? [...idle] : undefined,
    unread: dated(unread),
    database: dated(database),
  };
}
