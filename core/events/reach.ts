import type { AuditEvent } from "./event.ts";

/** The subject of an event, as exactly as the event names it. */
type EventPlace =
  /** It may be about anything, such as a registry or a cluster. */
  | { of: "organization" }
  | { of: "project"; id: string }
  | { of: "environment"; id: string; projectId: string | undefined }
  | { of: "service"; id: string; environmentId: string };

/** The subject of an event. */
function placeOf({ environmentId, projectId, targetType, targetId }: AuditEvent): EventPlace {
  if (environmentId === undefined)
    return projectId === undefined ? { of: "organization" } : { of: "project", id: projectId };
  return targetType === "ENVIRONMENT" || targetId === undefined
    ? { of: "environment", id: environmentId, projectId }
    : { of: "service", id: targetId, environmentId };
}

/** The resource that an event is about, and the resource that it is in; undefined if the event may be about anything. */
export function resourceOf(
  event: AuditEvent,
  organizationId: string,
): { id: string; parentId?: string | undefined } | undefined {
  const place = placeOf(event);
  switch (place.of) {
    case "organization":
      return undefined;
    case "project":
      return { id: place.id, parentId: organizationId };
    case "environment":
      return { id: place.id, parentId: place.projectId };
    case "service":
      return { id: place.id, parentId: place.environmentId };
    default:
      return place satisfies never;
  }
}

/** The scope of an event: the parts of one resource, of a resource and its contents, or of everything. */
export type Reach = { only: string } | { inside: string } | "everything";

/** The sort of part that an event about a part of its target concerns. */
const ofTheTarget = new Set(["VARIABLE", "SECRET", "CUSTOM_DOMAIN", "ADVANCED_SETTINGS"]);

/** The targets in an organization whose changes show in no list of parts but their own. Others, such as a cluster, may. */
const aloneInOrganization = new Set([
  "CONTAINER_REGISTRY",
  "HELM_REPOSITORY",
  "WEBHOOK",
  "MEMBERS_AND_ROLES",
  "ENTERPRISE_CONNECTION",
  "AGENTIC_WORKFLOW",
]);

/** The sorts of things of an organization itself that show in no list of parts. */
const besideAllParts = new Set([
  "ALERT_RECEIVER",
  "ALERT_RULE",
  "API_TOKEN",
  "BILLING_INFO",
  "BILLING_USAGE_REPORT",
  "CREDIT_CARD",
  "CREDIT_CODE",
  "CUSTOM_ROLE",
  "GITHUB_APP",
  "GIT_TOKEN",
  "INVITATION",
  "JWT_TOKEN_FORGED",
  "MCP_SERVER",
  "MEMBER_ROLE",
  "POLICY_API_TOKEN",
  "SSO",
  "TOOL_CALL",
]);

/**
 * The resources whose lists of parts may have changed with an event. A service shows its siblings what the platform tells
 * about it, in their variables: only an event about a part of it is about it alone.
 *
 * @param isSilent whether the platform tells siblings nothing about a type of target, such as `JOB`
 */
export function reachOf(event: AuditEvent, isSilent: (targetType: string) => boolean): Reach {
  const { targetType, subTargetType = "", targetId = "" } = event;
  const place = placeOf(event);
  switch (place.of) {
    case "organization":
      return aloneInOrganization.has(targetType) ||
        (targetType === "ORGANIZATION" && besideAllParts.has(subTargetType))
        ? { only: targetId }
        : "everything";
    case "project":
      return targetType === "PROJECT" ? { inside: place.id } : "everything";
    case "environment":
      return { inside: place.id };
    case "service":
      return ofTheTarget.has(subTargetType) || isSilent(targetType)
        ? { only: place.id }
        : { inside: place.environmentId };
    default:
      return place satisfies never;
  }
}
