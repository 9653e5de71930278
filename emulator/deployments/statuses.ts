import type { Deployment, Environment, Service, ServiceKindName } from "../world/records.ts";
import { serviceView } from "../services/index.ts";
import type { World } from "../world/world.ts";

// Responses with the state of services and environments.

export function statusView(service: Service, world: World) {
  const { id, deployment } = service;
  const leaving = leavingState(id, world);
  return {
    id,
    state: leaving ?? deployment?.state ?? "READY",
    service_deployment_status: deploymentStatus(service),
    ...(deployment && { last_deployment_date: deployment.date, execution_id: deployment.id }),
    is_part_last_deployment: isInLastDeployment(service, world),
    status_details: statusDetails(deployment, leaving),
    deployment_request_id: requestOf(deployment),
    deployment_requests_count: requestOf(deployment) === null ? 0 : 1,
  };
}

function requestOf(deployment: { id: string; outcome: string } | undefined): string | null {
  return deployment?.outcome === "QUEUED" ? deployment.id : null;
}

function deploymentStatus({ deployment }: Service): "NEVER_DEPLOYED" | "OUT_OF_DATE" | "UP_TO_DATE" {
  if (!deployment) return "NEVER_DEPLOYED";
  return deployment.upToDate ? "UP_TO_DATE" : "OUT_OF_DATE";
}

function isInLastDeployment({ parentId, deployment }: Service, { store }: World): boolean {
  return deployment !== undefined && store.environments.peek(parentId)?.lastDeploymentId === deployment.id;
}

export function statusDetails(deployment: { action: string; outcome: string } | undefined, leaving?: string) {
  const sub_action = "NONE";
  if (leaving !== undefined) {
    return { action: "DELETE", status: leaving === "DELETE_QUEUED" ? "QUEUED" : "ONGOING", sub_action };
  }
  if (!deployment) return { action: "UNKNOWN", status: "NEVER", sub_action };
  return { action: deployment.action, status: deployment.outcome, sub_action };
}

/** The state of a resource that is being deleted: queued in the first half of the delay, then in progress. */
export function leavingState(id: string, { operations, clock, behaviour }: World): string | undefined {
  const deletion = operations.on(id).find(({ kind }) => kind === "delete");
  if (!deletion) return undefined;
  return deletion.endsAt - clock.now() > behaviour.delete_delay_ms / 2 ? "DELETE_QUEUED" : "DELETING";
}

export function environmentStatusView(environment: Environment, world: World) {
  const { id, lastDeploymentId } = environment;
  const last = world.store.deployments.peek(lastDeploymentId ?? "");
  return {
    id,
    state: leavingState(id, world) ?? last?.state ?? "READY",
    last_deployment_state: last?.state ?? "READY",
    last_deployment_date: last?.created_at ?? null,
    last_deployment_id: last?.id ?? null,
    total_deployment_duration_in_seconds: last ? durationOf(last, world) : null,
    origin: last ? "API" : null,
    triggered_by: last?.triggeredBy ?? null,
    deployment_status: environmentDeploymentStatus(environment, world),
    deployment_request_id: requestOf(last),
  };
}

function environmentDeploymentStatus({ id, lastDeploymentId }: Environment, { store }: World): string {
  if (lastDeploymentId === undefined) return "NEVER_DEPLOYED";
  const current = store.services.under(id).every((service) => deploymentStatus(service) === "UP_TO_DATE");
  return current ? "UP_TO_DATE" : "OUT_OF_DATE";
}

/** Seconds that a deployment has taken, rounded down. */
export function durationOf({ created_at, endedAt }: Deployment, { clock }: World): number {
  const end = endedAt === undefined ? clock.now() : Date.parse(endedAt);
  return Math.round((end - Date.parse(created_at)) / 1000);
}

const kinds: ServiceKindName[] = ["application", "container", "job", "database", "helm", "terraform"];

export function statusesByKind(services: Service[], world: World): Record<string, object[]> {
  const { capped_statuses, page_cap = Infinity } = world.behaviour;
  const entries = kinds.map((kind) => [
    `${kind}s`,
    services
      .filter((service) => service.kind === kind)
      .slice(0, capped_statuses ? page_cap : Infinity)
      .map((service) => statusView(service, world)),
  ]);
  return { ...(Object.fromEntries(entries) as Record<string, object[]>), agentic_workflows: [] };
}

export function iconOf({ id }: Deployment["services"][number], world: World): string {
  const service = world.store.services.find(id);
  const { icon_uri = "app://qovery-console/application" } = service
    ? (serviceView(service, world) as { icon_uri?: string })
    : {};
  return icon_uri;
}
