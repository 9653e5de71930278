import { newSecret } from "./access.ts";
import type { Role } from "./records.ts";
import type { World } from "./world.ts";

/** Fills an empty world with what a new emulator has: an organization with clusters, registries and tokens. */
export function populate(world: World): void {
  const { store } = world;
  const organization = store.organizations.add({ ...world.base(""), name: "acme", spec: {} });
  const base = () => world.base(organization.id);

  for (const role of ["Admin", "Read", "Deploy", "Write"] satisfies Role[]) {
    store.apiTokens.add({ ...base(), name: role.toLowerCase(), secret: newSecret(), spec: { role } });
  }
  for (const [name, region] of [
    ["eu-west", "eu-west-3"],
    ["us-east", "us-east-1"],
  ] as const) {
    store.clusters.add({
      ...base(),
      name,
      spec: { name, region, cloud_provider: "AWS", kubernetes: "MANAGED" },
    });
  }
  store.registries.add({
    ...base(),
    name: "docker-hub",
    spec: { name: "docker-hub", kind: "DOCKER_HUB", config: {} },
  });
  store.registries.add({
    ...base(),
    name: "ecr-production",
    spec: {
      name: "ecr-production",
      kind: "ECR",
      url: "https://123456789012.dkr.ecr.eu-west-3.amazonaws.com",
      config: { region: "eu-west-3", access_key_id: "AKIAEXAMPLE" },
    },
  });
  store.gitTokens.add({
    ...base(),
    name: "github-main",
    spec: { name: "github-main", type: "GITHUB", token: newSecret() },
  });
  store.annotationsGroups.add({
    ...base(),
    name: "team-annotations",
    spec: {
      name: "team-annotations",
      annotations: [{ key: "example.com/team", value: "payments" }],
      scopes: ["DEPLOYMENTS", "JOBS", "CRON_JOBS"],
    },
  });
  store.labelsGroups.add({
    ...base(),
    name: "team-labels",
    spec: {
      name: "team-labels",
      labels: [{ key: "team", value: "payments", propagate_to_cloud_provider: false }],
    },
  });
}
