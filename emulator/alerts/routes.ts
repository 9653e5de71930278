import { Type } from "typebox";
import { text } from "../bodies/common.ts";
import { collection } from "../http/collection.ts";
import { organizationOf } from "../http/lookup.ts";
import { postOptional, type Call, type Route } from "../http/routing.ts";
import { requireReference } from "../services/shared.ts";
import { requireUnused } from "../world/in-use.ts";
import type { Document, Organization } from "../world/records.ts";
import type { World } from "../world/world.ts";
import {
  AlertReceiverEditRequest,
  AlertReceiverRequest,
  AlertRuleEditRequest,
  AlertRuleRequest,
} from "./bodies.ts";

// Members that can be written but not read.
const secrets = new Set(["webhook_url", "auth_password"]);

const Message = Type.Object({ message: text });

/** Whom alerts are sent to, and the rules that raise them. The emulator measures nothing: no rule is ever raised. */
export const alertRoutes: Route[] = [
  ...collection({
    path: "/organization/{organizationId}/alert-receivers",
    created: "/alert-receivers",
    one: "/alert-receivers/{alertReceiverId}",
    id: "alertReceiverId",
    parentOf,
    table: (store) => store.alertReceivers,
    body: AlertReceiverRequest,
    edit: AlertReceiverEditRequest,
    // A PUT without the secrets keeps them, because clients cannot read them.
    admit: ({ organization_id: _id, ...body }, _world, present) => ({
      name: body.name,
      spec: { ...Object.fromEntries(secretsOf(present)), ...body },
    }),
    view: ({ id, created_at, updated_at, spec }) => {
      const shown = Object.entries(spec).filter(([member]) => !secrets.has(member));
      return { id, created_at, updated_at, ...Object.fromEntries(shown) };
    },
    requireDeletable: ({ id, name }, world) => requireUnused(name, rulesWith(id, world), world),
  }),
  // A receiver gets a message, which the emulator does not send.
  postOptional("/alert-receivers/validate", 204, Message, () => undefined),
  postOptional("/alert-receivers/{alertReceiverId}/validate", 204, Message, ({ world, param }) => {
    world.store.alertReceivers.get(param("alertReceiverId"));
  }),
  ...collection({
    path: "/organization/{organizationId}/alert-rules",
    created: "/alert-rules",
    one: "/alert-rules/{alertRuleId}",
    id: "alertRuleId",
    parentOf,
    table: (store) => store.alertRules,
    body: AlertRuleRequest,
    edit: AlertRuleEditRequest,
    admit({ organization_id: _id, ...body }, world, present) {
      const { clusters, alertReceivers } = world.store;
      if (!present) requireReference("cluster_id", body.cluster_id, clusters);
      for (const [index, id] of body.alert_receiver_ids.entries())
        requireReference(`alert_receiver_ids[${index}]`, id, alertReceivers);
      return { name: body.name, spec: { ...present?.spec, ...body } };
    },
    view: ({ id, created_at, updated_at, parentId, spec }) => ({
      id,
      created_at,
      updated_at,
      organization_id: parentId,
      ...spec,
      source: "MANAGED",
      state: spec["enabled"] === true ? "OK" : "UNDEPLOYED",
      is_up_to_date: true,
    }),
  }),
];

/** The organization of the path, or of the body of a creation. */
function parentOf(call: Call): Organization {
  const { organization_id: id } = (call.body ?? {}) as { organization_id?: string };
  return id === undefined ? organizationOf(call) : call.world.store.organizations.get(id);
}

function secretsOf({ spec }: Partial<Document> = {}): [string, unknown][] {
  return Object.entries(spec ?? {}).filter(([member]) => secrets.has(member));
}

function rulesWith(receiverId: string, { store }: World): string[] {
  return store.alertRules
    .all()
    .filter(({ spec }) => (spec["alert_receiver_ids"] as string[]).includes(receiverId))
    .map(({ name }) => `alert rule ${name}`);
}
