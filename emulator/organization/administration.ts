import { newSecret } from "../http/access.ts";
import { invalid } from "../http/errors.ts";
import { eventPage } from "./event-page.ts";
import type { Event } from "../world/events.ts";
import type { ApiToken, Role, Webhook } from "../world/records.ts";
import { get, list, post, put, remove } from "../http/routing.ts";
import type { Call, Route } from "../http/routing.ts";
import { ApiTokenRequest, WebhookRequest } from "./schemas.ts";
import { uuidOf } from "../world/uuid.ts";
import { organizationOf } from "../http/lookup.ts";

const roles: Role[] = ["Admin", "Read", "Deploy", "Write"];

/** API tokens, webhooks and events of an organization. */
export const administrationRoutes: Route[] = [
  list("/organization/{organizationId}/apiToken", tokensOf, tokenView),
  post("/organization/{organizationId}/apiToken", 201, ApiTokenRequest, (call) => {
    const { world, body } = call;
    const { name, description, expires_at } = body;
    const token: ApiToken = {
      ...world.base(organizationOf(call).id),
      name,
      secret: newSecret(),
      spec: {
        role: roleFor(body.role_id, body.scope),
        ...(description !== undefined && { description }),
        ...(expires_at != null && { expires_at }),
      },
    };
    return { ...tokenView(world.add(world.store.apiTokens, token)), token: token.secret };
  }),

  get("/organization/{organizationId}/availableRole", (call) => {
    organizationOf(call);
    return { results: roles.map((role) => ({ id: roleId(role), name: role })) };
  }),

  list(
    "/organization/{organizationId}/webhook",
    (call) => call.world.store.webhooks.under(organizationOf(call).id),
    webhookView,
  ),
  post("/organization/{organizationId}/webhook", 201, WebhookRequest, (call) => {
    const { world, body: spec } = call;
    return webhookView(world.add(world.store.webhooks, { ...world.base(organizationOf(call).id), spec }));
  }),
  get("/organization/{organizationId}/webhook/{webhookId}", (call) => webhookView(webhookOf(call))),
  put("/organization/{organizationId}/webhook/{webhookId}", WebhookRequest, (call) => {
    const { world, body } = call;
    const webhook = webhookOf(call);
    // A PUT without the secret keeps it, because clients cannot read the secret to send it again.
    const { target_secret = webhook.spec.target_secret } = body;
    const spec = { ...body, ...(target_secret !== undefined && { target_secret }) };
    return webhookView(world.update(world.store.webhooks, webhook, { spec }));
  }),
  remove("/organization/{organizationId}/webhook/{webhookId}", (call) =>
    call.world.remove(call.world.store.webhooks, webhookOf(call)),
  ),

  get("/organization/{organizationId}/events", (call) =>
    eventPage(disturbed(call.world.events.of(organizationOf(call).id), call), call.query, call.address),
  ),
];

/** Events, newest first. A fault can hide the newest one, or swap each pair. */
function disturbed(events: Event[], call: Call): Event[] {
  if (call.events === "late") return events.slice(1);
  if (call.events !== "reordered") return events;
  return events.map((event, index) => events[index % 2 === 0 ? index + 1 : index - 1] ?? event);
}

function tokensOf(call: Call): ApiToken[] {
  const { name, creatorName } = call.query;
  const tokens = call.world.store.apiTokens.under(organizationOf(call).id);
  // Tokens have no creator in the emulator, so a filter by creator matches none.
  if (creatorName !== undefined) return [];
  return tokens.filter((token) => name === undefined || token.name === name);
}

function tokenView({ id, created_at, updated_at, name, spec }: ApiToken): object {
  const { role, ...rest } = spec;
  return { id, created_at, updated_at, name, ...rest, role_name: role, role_id: roleId(role) };
}

/** The role by its id, or the scope; without both, the role with the fewest permissions. */
function roleFor(id: string | null | undefined, scope: string | null | undefined): Role {
  if (id == null) return roles.find((role) => role.toUpperCase() === scope) ?? "Read";
  const role = roles.find((candidate) => roleId(candidate) === id);
  if (!role) throw invalid("role_id", `there is no role with id ${id}; GET availableRole lists them`);
  return role;
}

/** The id of a role, which is the same in every emulator. */
function roleId(role: Role): string {
  return uuidOf(`role ${role}`);
}

function webhookOf({ world, param }: Call): Webhook {
  return world.store.webhooks.get(param("webhookId"));
}

function webhookView({ id, created_at, updated_at, spec }: Webhook): object {
  const { target_secret, ...rest } = spec;
  return { id, created_at, updated_at, ...rest, target_secret_set: Boolean(target_secret) };
}
