import { newSecret } from "../http/access.ts";
import { addOwner } from "../members/account.ts";
import type { Role } from "../world/records.ts";
import type { Seed } from "./seed-file.ts";
import type { World } from "../world/world.ts";

/** The roles of a token, in the order of the ready line. */
const roles = ["Admin", "Read", "Deploy", "Write"] as const satisfies Role[];

/** The defaults of a seed. */
export const defaults = {
  organization: { name: "acme" },
  clusters: [
    { name: "eu-west", region: "eu-west-3", cloud_provider: "AWS" },
    { name: "us-east", region: "us-east-1", cloud_provider: "AWS" },
  ],
  registries: [
    { name: "docker-hub", kind: "DOCKER_HUB", config: {} },
    {
      name: "ecr-production",
      kind: "ECR",
      url: "https://123456789012.dkr.ecr.eu-west-3.amazonaws.com",
      config: { region: "eu-west-3", access_key_id: "AKIAEXAMPLE" },
    },
  ],
  git_tokens: [{ name: "github-main", type: "GITHUB", token: "example" }],
  annotations_groups: [
    {
      name: "team-annotations",
      annotations: [{ key: "example.com/team", value: "payments" }],
      scopes: ["DEPLOYMENTS", "JOBS", "CRON_JOBS"],
    },
  ],
  labels_groups: [
    {
      name: "team-labels",
      labels: [{ key: "team", value: "payments", propagate_to_cloud_provider: false }],
    },
  ],
} satisfies Seed;

/** Creates the organization and its tokens; everything else is created through the API's routes. */
export function foundOrganization({ organization, tokens = {} }: Seed, world: World) {
  const { store } = world;
  const described: NonNullable<Seed["organization"]> = organization ?? defaults.organization;
  const { id: wantedId, ...members } = described;
  world.nextId = wantedId;
  const spec = { plan: "TEAM" as const, ...members };
  const { id } = store.organizations.add({ ...world.base(""), name: spec.name, spec });
  addOwner(id, world);
  for (const role of roles) {
    const secret = tokens[lowered(role)] ?? newSecret();
    store.apiTokens.add({ ...world.base(id), name: lowered(role), secret, spec: { role } });
  }
  return id;
}

/** The name of a role in a seed and in the ready line. */
function lowered(role: (typeof roles)[number]) {
  return role.toLowerCase() as Lowercase<typeof role>;
}
