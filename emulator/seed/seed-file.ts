import { readFile } from "node:fs/promises";
import { Type, type Static } from "typebox";
import { parse } from "yaml";
import { GitRepositorySeed } from "../bodies/git.ts";
import { OrganizationRequest } from "../bodies/organization.ts";

/** A request body of the API, with an optional `id`. */
export type Item = Record<string, unknown>;

const items = Type.Optional(Type.Array(Type.Unsafe<Item>({ type: "object" })));
const secret = Type.Optional(Type.String({ minLength: 8 }));

// Every member of a request for an organization; `plan` has a default here.
const { plan, ...members } = OrganizationRequest.properties;
const organizationMembers = {
  id: Type.Optional(Type.String({ format: "uuid" })),
  ...members,
  plan: Type.Optional(plan),
};

const closed = { additionalProperties: false };

/** The schema of a seed. */
export const SeedFile = Type.Object(
  {
    organization: Type.Optional(Type.Object(organizationMembers, closed)),
    tokens: Type.Optional(
      Type.Object({ admin: secret, read: secret, deploy: secret, write: secret }, closed),
    ),
    clusters: items,
    registries: items,
    helm_repositories: items,
    git_tokens: items,
    annotations_groups: items,
    labels_groups: items,
    /** Each with the `provider` of its path: aws, scaleway, gcp, azure or onPremise. */
    credentials: items,
    webhooks: items,
    custom_roles: items,
    invitations: items,
    /** Each member counts as an accepted invitation. */
    members: items,
    /** Their default branches, branches and commits. */
    git_repositories: Type.Optional(Type.Array(GitRepositorySeed)),
    projects: items,
  },
  closed,
);

/** An organization to start from. Each item is a request body of the API, with an optional `id`. */
export type Seed = Static<typeof SeedFile>;

/** Reads a seed: YAML or JSON. */
export async function readSeed(path: string): Promise<Seed> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    throw new Error(`the seed ${path} cannot be read`, { cause: error });
  });
  try {
    return parse(text) as Seed;
  } catch (error) {
    throw new Error(`the seed ${path} is not YAML: ${String(error)}`, { cause: error });
  }
}
