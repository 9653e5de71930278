import { Type } from "typebox";
import { collection } from "../http/collection.ts";
import { organizationOf } from "../http/lookup.ts";
import { list, type Route } from "../http/routing.ts";
import { validate } from "../http/validation.ts";
import { requireUnused } from "../world/in-use.ts";
import type { Cluster, Credentials } from "../world/records.ts";
import type { World } from "../world/world.ts";
import { credentialsView, providers } from "./providers.ts";
import type { CredentialsBody } from "../bodies/credentials.ts";

// Without properties, so that it leaves every member to the schema of the provider.
const Body = Type.Unsafe<CredentialsBody>({ type: "object" });

/** Credentials of the cloud providers. No response contains a secret. */
export const credentialsRoutes: Route[] = [
  list(
    "/organization/{organizationId}/credentials",
    (call) => call.world.store.credentials.under(organizationOf(call).id),
    (credentials, world) => ({
      credential: credentialsView(credentials),
      clusters: clustersWith(credentials, world).map(({ id, name, spec }) => ({
        id,
        name,
        cloud_provider: spec.cloud_provider,
      })),
    }),
  ),
  ...providers.flatMap(routesOf),
];

function routesOf({ provider, path, complete, schemaFor }: (typeof providers)[number]): Route[] {
  return collection({
    path: `/organization/{organizationId}/${path}/credentials`,
    id: "credentialsId",
    parentOf: organizationOf,
    table: (store) => store.credentials,
    has: ({ spec }) => spec.provider === provider,
    body: Body,
    admit(given) {
      const body = complete?.(given) ?? given;
      validate(schemaFor(body), body);
      return { name: body.name, spec: { provider, body } };
    },
    view: credentialsView,
    requireDeletable(credentials, world) {
      const users = clustersWith(credentials, world).map(({ name }) => `cluster ${name}`);
      requireUnused(credentials.name, users, world);
    },
  });
}

function clustersWith({ id, parentId }: Credentials, { store }: World): Cluster[] {
  return store.clusters
    .under(parentId)
    .filter(({ spec }) => spec.cloud_provider_credentials?.credentials?.id === id);
}
