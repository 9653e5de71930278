import type { Client } from "../../core/api/index.ts";
import { type AuditEvent, eventsSince } from "../../core/state/events/index.ts";

/** The name of this program in events. */
const ownAgent = "infrasync";

/** Something that infrasync has deleted, in whatever process. */
export interface ReportedDeletion extends Pick<AuditEvent, "time" | "environmentId" | "program" | "who"> {
  /** The same in all events of it: one that takes long has an event when it begins and one when it ends. */
  key: string;
  /** The id of the deleted resource, or of the resource that lost a part. */
  id: string;
  /** `job`, or `variable of job`. */
  what: string;
  /** The name of the resource, in lower case. */
  name: string;
}

/** The deletions by all processes of infrasync since a time, by the clock of the server; undefined as above. */
export async function deletionsSince(
  client: Client,
  organizationId: string,
  since: number,
): Promise<ReportedDeletion[] | undefined> {
  const read = await eventsSince(client, organizationId, since);
  return read && deletionsIn(read.events.filter(({ time }) => time >= since));
}

/** The deletions by infrasync among events; parts of a resource that is itself deleted do not count. */
export function deletionsIn(events: readonly AuditEvent[]): ReportedDeletion[] {
  const deletions = events.filter(
    ({ type, program = ownAgent }) => type.startsWith("DELETE") && program.startsWith(ownAgent),
  );
  const whole = new Set(
    deletions.flatMap(({ targetId, subTargetType }) => (subTargetType === undefined ? targetId : [])),
  );
  const counted = deletions.flatMap((event): ReportedDeletion[] => {
    const { time, targetName: name = "", environmentId, subTargetType } = event;
    const { id, what } = { id: event.targetId ?? event.id, what: event.targetType.toLowerCase() };
    const about = { id, time, name, environmentId, program: event.program, who: event.who };
    if (subTargetType === undefined) return [{ ...about, key: id, what }];
    return whole.has(id)
      ? []
      : [{ ...about, key: event.id, what: `${subTargetType.toLowerCase()} of ${what}` }];
  });
  return [...new Map(counted.map((each) => [each.key, each])).values()];
}
