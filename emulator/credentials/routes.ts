import { Type } from "typebox";
import { notFound } from "../world/errors.ts";
import { organizationOf } from "../http/lookup.ts";
import { get, list, post, put, remove, type Call, type Route } from "../http/routing.ts";
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
  const many = `/organization/{organizationId}/${path}/credentials`;
  const one = `${many}/{credentialsId}`;
  const admit = (given: CredentialsBody) => {
    const body = complete?.(given) ?? given;
    validate(schemaFor(body), body);
    return { name: body.name, spec: { provider, body } };
  };
  const credentialsOf = ({ world, param }: Call): Credentials => {
    const id = param("credentialsId");
    const credentials = world.store.credentials.find(id);
    if (credentials?.spec.provider !== provider) throw notFound(`${provider} credentials`, id);
    return credentials;
  };
  return [
    list(
      many,
      (call) =>
        call.world.store.credentials
          .under(organizationOf(call).id)
          .filter(({ spec }) => spec.provider === provider),
      credentialsView,
    ),
    post(many, 201, Body, (call, world, body) => {
      const organization = organizationOf(call);
      const credentials = { ...admit(body), ...world.base(organization.id) };
      return credentialsView(world.add(world.store.credentials, credentials));
    }),
    get(one, (call) => credentialsView(credentialsOf(call))),
    put(one, Body, (call, world, body) => {
      const credentials = credentialsOf(call);
      return credentialsView(world.update(world.store.credentials, credentials, admit(body)));
    }),
    remove(one, (call, world) => {
      const credentials = credentialsOf(call);
      requireUnused(
        credentials.name,
        clustersWith(credentials, world).map(({ name }) => `cluster ${name}`),
        world,
      );
      world.remove(world.store.credentials, credentials);
    }),
  ];
}

function clustersWith({ id, parentId }: Credentials, { store }: World): Cluster[] {
  return store.clusters
    .under(parentId)
    .filter(({ spec }) => spec.cloud_provider_credentials?.credentials?.id === id);
}
