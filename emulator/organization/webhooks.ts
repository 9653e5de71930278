import { organizationOf } from "../http/lookup.ts";
import { get, list, post, put, remove, type Call, type Route } from "../http/routing.ts";
import type { Webhook } from "../world/records.ts";
import { WebhookRequest } from "../bodies/organization.ts";

const many = "/organization/{organizationId}/webhook";
const one = `${many}/{webhookId}`;

/** Webhooks; no response contains the secret of one. */
export const webhookRoutes: Route[] = [
  list(many, (call) => call.world.store.webhooks.under(organizationOf(call).id), webhookView),
  post(many, 201, WebhookRequest, (call) => {
    const { world, body: spec } = call;
    return webhookView(world.add(world.store.webhooks, { ...world.base(organizationOf(call).id), spec }));
  }),
  get(one, (call) => webhookView(webhookOf(call))),
  put(one, WebhookRequest, (call) => {
    const { world, body } = call;
    const webhook = webhookOf(call);
    // A PUT without the secret keeps it, because clients cannot read the secret to send it again.
    const { target_secret = webhook.spec.target_secret } = body;
    const spec = { ...body, ...(target_secret !== undefined && { target_secret }) };
    return webhookView(world.update(world.store.webhooks, webhook, { spec }));
  }),
  remove(one, (call) => call.world.remove(call.world.store.webhooks, webhookOf(call))),
];

function webhookOf({ world, param }: Call): Webhook {
  return world.store.webhooks.get(param("webhookId"));
}

function webhookView({ id, created_at, updated_at, spec }: Webhook): object {
  const { target_secret, ...rest } = spec;
  return { id, created_at, updated_at, ...rest, target_secret_set: Boolean(target_secret) };
}
