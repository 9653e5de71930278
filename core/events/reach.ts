import type { AuditEvent } from "./event.ts";

/** What may have changed, as an event tells: the parts of one resource, of all that is in one, or of everything. */
export type Reach = { only: string } | { inside: string } | "everything";

/** What an event about a part of its target is about, and about nothing else. */
const ofTheTarget = new Set(["VARIABLE", "SECRET", "CUSTOM_DOMAIN", "ADVANCED_SETTINGS"]);

/**
 * The resources whose lists of parts may have changed with an event. A service shows its siblings what the platform tells
 * about it, in their variables: only an event about a part of it is about it alone.
 *
 * @param isSilent whether the platform tells siblings nothing about a type of target, such as `JOB`
 */
export function reachOf(event: AuditEvent, isSilent: (targetType: string) => boolean): Reach {
  const { targetType, targetId, subTargetType = "", environmentId, projectId } = event;
  if (environmentId === undefined)
    return targetType === "PROJECT" && projectId !== undefined ? { inside: projectId } : "everything";
  const isAlone = ofTheTarget.has(subTargetType) || isSilent(targetType);
  return targetType !== "ENVIRONMENT" && targetId !== undefined && isAlone
    ? { only: targetId }
    : { inside: environmentId };
}
