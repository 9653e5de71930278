import type { AuditEvent } from "./event.ts";

/** The subject of an event. */
function placeOf({
  environmentId,
  projectId,
  targetType,
  targetId,
}: AuditEvent):
  | { of: "organization" }
  | { of: "project"; id: string }
  | { of: "environment"; id: string; projectId: string | undefined }
  | { of: "service"; id: string; environmentId: string } {
  if (environmentId === undefined)
    return projectId === undefined ? { of: "organization" } : { of: "project", id: projectId };
  return targetType === "ENVIRONMENT" || targetId === undefined
    ? { of: "environment", id: environmentId, projectId }
    : { of: "service", id: targetId, environmentId };
}

/** Events of a deployment, which changes statuses, versions and variables of the platform. */
const ofDeployment = new Set([
  "DEPLOYED",
  "DEPLOYED_DRY_RUN",
  "DEPLOYED_DRY_RUN_FAILED",
  "DRY_RUN",
  "FORCE_RUN_FAILED",
  "FORCE_RUN_QUEUED",
  "FORCE_RUN_QUEUED_DEPLOY",
  "FORCE_RUN_SUCCEEDED",
  "TRIGGER_DEPLOY",
  "TRIGGER_DEPLOY_DRY_RUN",
  "TRIGGER_FORCE_RUN",
  "TRIGGER_FORCE_RUN_DEPLOY",
]);

/** Whether an event is about a write, and not about the progress of a deployment. */
export function isOfWrite({ type }: Pick<AuditEvent, "type">): boolean {
  return !ofDeployment.has(type);
}

/** A possible change: of a resource, or of the list of resources in a parent. */
export type Hint = { id: string; parentId?: string | undefined } | { parentId: string };

/** What may have changed with an event; undefined if that may be anything. */
export function hintOf(event: AuditEvent, organizationId: string): Hint | undefined {
  const place = placeOf(event);
  switch (place.of) {
    case "organization":
      return isAlone(event) ? { parentId: organizationId } : undefined;
    case "project":
      return { id: place.id, parentId: organizationId };
    case "environment":
      return isOfWrite(event)
        ? { id: place.id, parentId: place.projectId }
        : // The services that are deployed have events of their own.
          { parentId: place.id };
    case "service":
      return { id: place.id, parentId: place.environmentId };
    default:
      return place satisfies never;
  }
}

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

/** What shows in the resources that use it: none does right after the creation. */
const unusedWhenNew = new Set(["ANNOTATIONS_GROUP", "CLUSTER", "LABELS_GROUP"]);

/** Whether an event of the organization is about something that shows in no list of parts but its own. */
function isAlone({ type, targetType, subTargetType = "" }: AuditEvent): boolean {
  const subject = targetType === "ORGANIZATION" ? subTargetType : targetType;
  return (
    (type === "CREATE" && unusedWhenNew.has(subject)) ||
    (targetType === "ORGANIZATION" ? besideAllParts : aloneInOrganization).has(subject)
  );
}

/**
 * The resources whose lists of parts may have changed with an event. Siblings have variables about a service: only an event
 * about a part or a deployment of it is about it alone. @param isSilent whether siblings have none about a type, such as `JOB`
 */
export function reachOf(
  event: AuditEvent,
  isSilent: (targetType: string) => boolean,
): { only: string } | { inside: string } | "everything" | "nothing" {
  const { targetType, subTargetType = "", targetId = "" } = event;
  const place = placeOf(event);
  switch (place.of) {
    case "organization":
      return isAlone(event) ? { only: targetId } : "everything";
    case "project":
      return targetType === "PROJECT" ? { inside: place.id } : "everything";
    case "environment":
      return isOfWrite(event) ? { inside: place.id } : { only: place.id };
    case "service":
      if (isSilent(targetType)) return isOfWrite(event) ? { only: place.id } : "nothing";
      return !isOfWrite(event) || ofTheTarget.has(subTargetType)
        ? { only: place.id }
        : { inside: place.environmentId };
    default:
      return place satisfies never;
  }
}
