import { WebhookRequest } from "../bodies/organization.ts";
import { collection } from "../http/collection.ts";
import { organizationOf } from "../http/lookup.ts";
import { list, type Route } from "../http/routing.ts";
import type { Delivery } from "../world/records.ts";
import type { World } from "../world/world.ts";
import { stamps } from "../world/store.ts";

const many = "/organization/{organizationId}/webhook";

/** Webhooks and their deliveries; no response contains the secret of one. */
export const webhookRoutes: Route[] = [
  ...collection({
    path: many,
    id: "webhookId",
    parentOf: organizationOf,
    table: (store) => store.webhooks,
    body: WebhookRequest,
    admit(body, _world, webhook) {
      // A PUT without the secret keeps it, because clients cannot read the secret to send it again.
      const { target_secret = webhook?.spec.target_secret } = body;
      return { spec: { ...body, ...(target_secret !== undefined && { target_secret }) } };
    },
    view(webhook) {
      const { target_secret, ...spec } = webhook.spec;
      return { ...stamps(webhook), description: "", ...spec, target_secret_set: Boolean(target_secret) };
    },
  }),
  list(
    `${many}/{webhookId}/event`,
    (call) => {
      const { webhooks, deliveries } = call.world.store;
      organizationOf(call);
      return deliveries.under(webhooks.get(call.param("webhookId")).id).toReversed();
    },
    deliveryView,
  ),
];

// The names of events in this list, if they differ from those in the request of a webhook.
const matchedEvents: Record<string, string> = {
  DEPLOYMENT_SUCCEEDED: "DEPLOYMENT_SUCCESSFUL",
  DEPLOYMENT_FAILED: "DEPLOYMENT_FAILURE",
};

function deliveryView(
  { id, parentId, created_at, event, url, request, status, answer }: Delivery,
  { store }: World,
): object {
  return {
    id,
    created_at,
    kind: store.webhooks.get(parentId).spec.kind,
    matched_event: matchedEvents[event] ?? event,
    target_url_used: url,
    request,
    target_response_status_code: status,
    target_response_body: answer,
  };
}
