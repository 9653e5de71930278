import { collection } from "../http/collection.ts";
import { organizationOf } from "../http/lookup.ts";
import type { Call, Route } from "../http/routing.ts";
import type { Document, Organization } from "../world/records.ts";
import { Type } from "typebox";
import { flag, id as idText, maybe, name, oneOf, text } from "../bodies/common.ts";
import { stamps } from "../world/store.ts";

const optionalText = maybe(Type.String());

const members = {
  name,
  description: Type.String(),
  type: oneOf("SLACK", "EMAIL"),
  send_resolved: Type.Boolean(),
  owner: optionalText,
  severity: optionalText,
  // Of a Slack channel.
  webhook_url: optionalText,
  // Of an address.
  to: text,
  from: text,
  smarthost: text,
  auth_username: optionalText,
  auth_password: optionalText,
  require_tls: flag,
};

const AlertReceiverRequest = Type.Object({ organization_id: idText, ...members });
const AlertReceiverEditRequest = Type.Object(members);

// Members that can be written but not read.
const secrets = new Set(["webhook_url", "auth_password"]);

/** The receivers of alerts. The emulator raises none. */
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
    view: (receiver) => {
      const shown = Object.entries(receiver.spec).filter(([member]) => !secrets.has(member));
      return { ...stamps(receiver), ...Object.fromEntries(shown) };
    },
  }),
];

function parentOf(call: Call): Organization {
  const { organization_id: id } = (call.body ?? {}) as { organization_id?: string };
  return id === undefined ? organizationOf(call) : call.world.store.organizations.get(id);
}

function secretsOf({ spec }: Partial<Document> = {}): [string, unknown][] {
  return Object.entries(spec ?? {}).filter(([member]) => secrets.has(member));
}
