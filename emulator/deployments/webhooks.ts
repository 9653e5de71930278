import { createHmac, randomUUID } from "node:crypto";
import { lineageOf } from "../world/lineage.ts";
import type { Delivery, Deployment, Webhook } from "../world/records.ts";
import type { World } from "../world/world.ts";

type Occasion = "started" | "done" | "failed" | "canceled";

// The API has two names for some events; a webhook receives the name that it subscribed to.
const eventNames: Record<Occasion, string[]> = {
  started: ["DEPLOYMENT_STARTED"],
  done: ["DEPLOYMENT_SUCCEEDED", "DEPLOYMENT_SUCCESSFUL"],
  failed: ["DEPLOYMENT_FAILED", "DEPLOYMENT_FAILURE"],
  canceled: ["DEPLOYMENT_CANCELLED"],
};

const TIMEOUT_MS = 5_000;

// Without this limit, a receiver that never answers would keep each delivery open.
const MOST_UNDER_WAY = 1_000;

const KEPT_DELIVERIES = 100;
const LONGEST_ANSWER = 1_000;

/** The header that carries `sha256=` and the HMAC of the body, in hex, when a webhook has a secret. */
const SIGNATURE_HEADER = "x-webhook-signature";

/** Sends the event of a deployment to every subscribed webhook, one delivery for each service. No request waits for a delivery. */
export function notify(world: World, deployment: Deployment, occasion: Occasion): void {
  const { organization, project, environment } = lineageOf(deployment.parentId, world.store);
  if (!organization || !project || !environment) return;
  const common = {
    organization_id: organization.id,
    project_id: project.id,
    project_name: project.name,
    environment_id: environment.id,
    environment_name: environment.name,
    environment_mode: environment.spec.mode,
    deployment_id: deployment.id,
    action: deployment.action,
    status: deployment.state,
    triggered_by: deployment.triggeredBy,
    timestamp: world.stamp(),
  };
  const payloads = deployment.services.map(({ id, name, kind }) => ({
    [`${kind}_id`]: id,
    service_id: id,
    service_name: name,
    service_type: kind.toUpperCase(),
    ...common,
  }));
  for (const webhook of world.store.webhooks.under(organization.id)) {
    const event = eventNames[occasion].find((name) =>
      webhook.spec.events.some((desired) => desired === name),
    );
    if (event === undefined || !wants(webhook, project.name, environment.spec.mode)) continue;
    for (const payload of payloads.length > 0 ? payloads : [common]) {
      void deliver(world, webhook, { event_type: event, payload });
    }
  }
}

function wants({ spec }: Webhook, projectName: string, mode: string): boolean {
  const { enabled = true, project_names_filter: projects = [], environment_types_filter: modes = [] } = spec;
  if (projects.length > 0 && !projects.includes(projectName)) return false;
  return enabled && (modes.length === 0 || modes.some((desired) => desired === mode));
}

/** A delivery is tried once: the reference promises no more, and the emulator does not depend on receivers. */
async function deliver(
  world: World,
  webhook: Webhook,
  event: { event_type: string; payload: object },
): Promise<void> {
  const { spec } = webhook;
  const body = JSON.stringify(spec.kind === "SLACK" ? { text: slackText(event) } : event);
  const headers: Record<string, string> = {
    "content-type": "application/json",
    "x-webhook-id": randomUUID(),
  };
  if (spec.target_secret) headers[SIGNATURE_HEADER] = sign(body, spec.target_secret);
  if (world.deliveriesUnderWay >= MOST_UNDER_WAY) return;
  world.deliveriesUnderWay += 1;
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(spec.target_url, { method: "POST", headers, body, signal });
    const answer = (await response.text()).slice(0, LONGEST_ANSWER);
    keep(webhook, event, { status: response.status, answer }, world);
  } catch {
    keep(webhook, event, { status: 0, answer: null }, world);
  } finally {
    world.deliveriesUnderWay -= 1;
  }
}

function keep(
  webhook: Webhook,
  { event_type: event, payload: request }: { event_type: string; payload: object },
  { status, answer }: Pick<Delivery, "status" | "answer">,
  world: World,
): void {
  const { deliveries, webhooks } = world.store;
  if (!webhooks.find(webhook.id)) return;
  const url = webhook.spec.target_url;
  deliveries.add({ ...world.base(webhook.id), event, url, request, status, answer });
  for (const old of deliveries.allUnder(webhook.id).slice(0, -KEPT_DELIVERIES)) deliveries.remove(old);
}

function sign(body: string, secret: string): string {
  return `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
}

function slackText({ event_type, payload }: { event_type: string; payload: object }): string {
  const { service_name = "the environment", environment_name } = payload as Record<string, string>;
  return `${event_type}: ${service_name} in ${environment_name}`;
}
