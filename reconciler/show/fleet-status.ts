import type { FleetView } from "./fleet-board.ts";
import type { FleetStatus } from "./fleet-status-form.ts";

/** The state of many sources in the form for programs. */
export function fleetStatusOf({ now, sources, problems, unread, database }: FleetView): FleetStatus {
  return {
    format: "infrasync-fleet-status",
    version: 1,
    now: iso(now),
    in_step: sources.filter(({ state }) => state === "in_step").length,
    sources: sources.map(
      ({
        name,
        team,
        repository,
        state,
        inStep,
        environments,
        checkedAt,
        doubt,
        failure,
        worker,
        isEnding,
        stopped,
      }) => ({
        name,
        ...(team !== undefined && { team }),
        repository,
        state,
        in_step: inStep,
        environments,
        ...(checkedAt !== undefined && { checked_at: iso(checkedAt) }),
        ...(doubt && { in_doubt: { because: doubt.because, since: iso(doubt.since) } }),
        ...(failure && { failure: { reason: failure.reason, since: iso(failure.since) } }),
        ...(worker && { worker: { host: worker.host, seen_at: iso(worker.seenAt) } }),
        ...(stopped && { stopped: { since: iso(stopped.since), left: [...stopped.left] } }),
        ...(isEnding && { ending: true }),
      }),
    ),
    problems: [...problems],
    ...(unread && { unread: { reason: unread.reason, since: iso(unread.since) } }),
    ...(database && { database: { reason: database.reason, since: iso(database.since) } }),
  };
}

function iso(time: number): string {
  return new Date(time).toISOString();
}
