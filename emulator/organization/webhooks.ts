import { WebhookRequest } from "../bodies/organization.ts";
import { collection } from "../http/collection.ts";
import { organizationOf } from "../http/lookup.ts";
import type { Route } from "../http/routing.ts";

/** Webhooks; no response contains the secret of one. */
export const webhookRoutes: Route[] = collection({
  path: "/organization/{organizationId}/webhook",
  id: "webhookId",
  parentOf: organizationOf,
  table: (store) => store.webhooks,
  body: WebhookRequest,
  admit(body, _world, webhook) {
    // A PUT without the secret keeps it, because clients cannot read the secret to send it again.
    const { target_secret = webhook?.spec.target_secret } = body;
    return { spec: { ...body, ...(target_secret !== undefined && { target_secret }) } };
  },
  view({ id, created_at, updated_at, spec: { target_secret, ...spec } }) {
    return { id, created_at, updated_at, ...spec, target_secret_set: Boolean(target_secret) };
  },
});
