import { type AuditEvent, isOfWrite, reachOf, settling } from "../../events/index.ts";
import { kinds } from "../../../model/kinds/index.ts";
import type { CachedList, CachedRun } from "./file.ts";

/**
 * Whether a list was read so long after the last event about its resource that it shows the change. What a run has written is
 * in the lists that were read before its end.
 *
 * @param now by the clock of the server
 */
export function outlastedBy(
  events: readonly AuditEvent[],
  runs: ReadonlyMap<string, CachedRun>,
  now: number,
): (list: CachedList) => boolean {
  const runOf = (event: AuditEvent) => {
    const run = isOfWrite(event) ? runs.get(event.signature ?? "") : undefined;
    return run && (run.isOver || event.time <= run.end) ? run : undefined;
  };
  const reaches = [...Map.groupBy(events, runOf)].map(
    ([run, ofRun]) => [run?.end ?? -Infinity, lastChanges(ofRun, now)] as const,
  );
  return ({ owner, above, at }) => {
    const ofEvents = ["everything", `only ${owner}`, ...[owner, ...above].map((id) => `inside ${id}`)];
    return reaches.every(
      ([end, times]) => at <= end || ofEvents.every((key) => at >= (times.get(key) ?? -Infinity) + settling),
    );
  };
}

/** When an event was last about everything, a resource alone, or all that is in one. */
function lastChanges(events: readonly AuditEvent[], now: number): Map<string, number> {
  const times = new Map<string, number>();
  for (const event of events) {
    // A deployment changes nothing but what the platform tells: one read is enough, once that has settled.
    if (!isOfWrite(event) && now - event.time < settling) continue;
    const reach = reachOf(event, isSilent);
    if (reach === "nothing") continue;
    const key = typeof reach === "string" ? reach : Object.entries(reach).flat().join(" ").toLowerCase();
    times.set(key, Math.max(event.time, times.get(key) ?? -Infinity));
  }
  return times;
}

/** Whether the platform tells siblings nothing about a type of target of events. */
function isSilent(targetType: string): boolean {
  return kinds.some(
    ({ slug, outputs }) => !outputs && slug.replaceAll("-", "_").toUpperCase() === targetType,
  );
}
