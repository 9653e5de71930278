import { newSecret } from "../http/access.ts";
import { addOwner } from "../members/account.ts";
import type { CredentialsBody, Provider } from "../bodies/credentials.ts";
import type { Role } from "../world/records.ts";
import type { Item, Seed } from "./seed-file.ts";
import type { World } from "../world/world.ts";
import defaults from "./organization.json" with { type: "json" };

/** The roles of a token, in the order of the ready line. */
const roles = ["Admin", "Read", "Deploy", "Write"] as const satisfies Role[];

/** Creates the organization and its tokens; everything else is created through the API's routes. */
export function foundOrganization({ organization, tokens = {} }: Seed, world: World) {
  const { store } = world;
  const seeded: NonNullable<Seed["organization"]> = organization ?? defaults.organization;
  const { id: desiredId, ...members } = seeded;
  world.nextId = desiredId;
  const spec = { plan: "TEAM" as const, ...members };
  const { id } = store.organizations.add({ ...world.base(""), name: spec.name, spec });
  addOwner(id, world);
  for (const role of roles) {
    const secret = tokens[lowered(role)] ?? newSecret();
    store.apiTokens.add({ ...world.base(id), name: lowered(role), secret, spec: { role } });
  }
  return id;
}

const example = "123456789012";

/** The default credentials of a seeded cluster. */
const exampleCredentials: { [Name in Provider]: Omit<CredentialsBody, "name"> } = {
  AWS: { type: "AWS_ROLE", role_arn: `arn:aws:iam::${example}:role/platform` },
  SCW: {
    scaleway_access_key: "SCWEXAMPLE",
    scaleway_secret_key: "example",
    scaleway_project_id: example,
    scaleway_organization_id: example,
  },
  GCP: { gcp_credentials: "example" },
  AZURE: { azure_subscription_id: example, azure_tenant_id: example },
  ON_PREMISE: {},
};

/** A cluster of a seed with credentials of its provider: those that it names, the first of the seed, or an example. */
export function withCredentials(cluster: Item, organizationId: string, world: World): Item {
  const { cloud_provider: provider, cloud_provider_credentials: declared } = cluster;
  if (declared !== undefined || typeof provider !== "string" || !(provider in exampleCredentials))
    return cluster;
  const known = provider as Provider;
  const name = `example-${known.toLowerCase()}`;
  const { credentials } = world.store;
  const { id } =
    credentials.under(organizationId).find(({ spec }) => spec.provider === known) ??
    credentials.add({
      ...world.base(organizationId),
      name,
      spec: { provider: known, body: { ...exampleCredentials[known], name } },
    });
  return { ...cluster, cloud_provider_credentials: { credentials: { id } } };
}

function lowered(role: (typeof roles)[number]) {
  return role.toLowerCase() as Lowercase<typeof role>;
}
