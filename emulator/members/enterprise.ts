import { Type } from "typebox";
import { organizationOf } from "../http/lookup.ts";
import { newSecret } from "../http/access.ts";
import { collection } from "../http/collection.ts";
import { get, list, put, type Call, type Route } from "../http/routing.ts";
import { name, nullable, text } from "../bodies/common.ts";
import { notFound } from "../world/errors.ts";
import type { Document } from "../world/records.ts";

const many = "/organization/{organizationId}/enterpriseconnection";

const ConnectionRequest = Type.Object({
  connection_name: Type.Optional(Type.String()),
  default_role: Type.String(),
  enforce_group_sync: Type.Boolean(),
  group_mappings: Type.Unsafe<object>({ type: "object" }),
});

/** The identity providers of an organization: its first PUT makes a connection. */
const connectionRoutes: Route[] = [
  list(many, (call) => connectionsOf(call), connectionView),
  get(`${many}/{connectionName}`, (call) => connectionView(connectionOf(call))),
  put(`${many}/{connectionName}`, ConnectionRequest, (call) => {
    const { world, body: spec, param } = call;
    const table = world.store.enterpriseConnections;
    const present = find(call);
    if (present) return connectionView(world.update(table, present, { spec }));
    const base = world.base(organizationOf(call).id);
    return connectionView(world.add(table, { ...base, name: param("connectionName"), spec }));
  }),
];

function connectionsOf(call: Call): Document[] {
  return call.world.store.enterpriseConnections.under(organizationOf(call).id);
}

function find(call: Call): Document | undefined {
  return connectionsOf(call).find((connection) => connection.name === call.param("connectionName"));
}

function connectionOf(call: Call): Document {
  const connection = find(call);
  if (!connection) throw notFound("enterprise connection", call.param("connectionName"));
  return connection;
}

function connectionView({ name: connection_name, spec }: Document): object {
  return { ...spec, connection_name };
}

/** Tokens whose rights a policy in the language of Open Policy Agent says. The emulator does not read the policy. */
const policyTokenRoutes: Route[] = collection({
  path: "/organization/{organizationId}/policyApiToken",
  id: "policyApiTokenId",
  parentOf: organizationOf,
  table: (store) => store.policyTokens,
  body: Type.Object({
    name,
    description: text,
    opa_policy: Type.String(),
    expires_at: Type.Optional(nullable(Type.String({ format: "date-time" }))),
  }),
  admit: (spec) => ({ name: spec.name, spec }),
  view: tokenView,
  made: (token) => ({ ...tokenView(token), token: newSecret() }),
  without: ["GET", "PUT"],
});

function tokenView({ id, created_at, updated_at, spec }: Document) {
  return { id, created_at, updated_at, description: "", creator_name: null, ...spec };
}

/** People and programs of an organization besides its members and tokens. */
export const enterpriseRoutes: Route[] = [...connectionRoutes, ...policyTokenRoutes];
