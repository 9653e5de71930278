import type { Named, Organization } from "../world/records.ts";
import { countUses } from "../world/references.ts";
import { startDeletion } from "../environments/removal.ts";
import { get, list, post, put, remove } from "../http/routing.ts";
import type { Route } from "../http/routing.ts";
import * as schemas from "./schemas.ts";
import { groupView, registryDetails } from "../services/shared.ts";
import type { World } from "../world/world.ts";
import { collection } from "./collection.ts";
import { organizationOf } from "../http/lookup.ts";

const counted = (group: Named, world: World) => ({
  ...groupView(group),
  associated_items_count: countUses(group.id, world),
});

// Members of a configuration that can be written but not read.
const secretMembers = new Set(["secret_access_key", "scaleway_secret_key", "json_credentials", "password"]);

const gitUrls: Record<string, string> = {
  GITHUB: "https://api.github.com",
  GITLAB: "https://gitlab.com/api/v4",
  BITBUCKET: "https://api.bitbucket.org",
};

/** Organizations and their members other than projects. */
export const organizationRoutes: Route[] = [
  list("/organization", ({ world }) => world.store.organizations.all(), organizationView),
  post("/organization", 201, schemas.OrganizationRequest, ({ world, body: spec }) =>
    organizationView(world.add(world.store.organizations, { ...world.base(""), name: spec.name, spec })),
  ),
  get("/organization/{organizationId}", (call) => organizationView(organizationOf(call))),
  put("/organization/{organizationId}", schemas.OrganizationEditRequest, (call) => {
    const { world, body } = call;
    const organization = organizationOf(call);
    const changes = { name: body.name, spec: { plan: organization.spec.plan, ...body } };
    return organizationView(world.update(world.store.organizations, organization, changes));
  }),
  remove("/organization/{organizationId}", (call) => startDeletion([organizationOf(call).id], call.world)),

  list(
    "/organization/{organizationId}/cluster",
    (call) => call.world.store.clusters.under(organizationOf(call).id),
    clusterView,
  ),
  post("/organization/{organizationId}/cluster", 201, schemas.ClusterRequest, (call) => {
    const { world, body: spec } = call;
    const cluster = { ...world.base(organizationOf(call).id), name: spec.name, spec };
    return clusterView(world.add(world.store.clusters, cluster), world);
  }),

  ...collection<schemas.ContainerRegistryRequest>({
    path: "containerRegistry",
    id: "containerRegistryId",
    table: (store) => store.registries,
    body: schemas.ContainerRegistryRequest,
    view: ({ id, created_at, updated_at, spec }, world) => ({
      created_at,
      updated_at,
      description: "",
      ...spec,
      ...registryDetails(id, world),
      associated_services_count: countUses(id, world),
      config: readable(spec.config),
    }),
  }),
  ...collection<schemas.HelmRepositoryRequest>({
    path: "helmRepository",
    id: "helmRepositoryId",
    table: (store) => store.helmRepositories,
    body: schemas.HelmRepositoryRequest,
    view: ({ id, created_at, updated_at, spec }, world) => ({
      id,
      created_at,
      updated_at,
      url: "",
      description: "",
      ...spec,
      associated_services_count: countUses(id, world),
      config: readable(spec.config),
    }),
  }),
  ...collection<schemas.GitTokenRequest>({
    path: "gitToken",
    id: "gitTokenId",
    table: (store) => store.gitTokens,
    body: schemas.GitTokenRequest,
    view: ({ id, created_at, updated_at, name, spec }, world) => {
      const { description = "", type, workspace, git_api_url = gitUrls[type] } = spec;
      const associated_services_count = countUses(id, world);
      const base = { id, created_at, updated_at, name };
      return { ...base, description, type, workspace, git_api_url, associated_services_count };
    },
  }),
  ...collection<schemas.AnnotationsGroupRequest>({
    path: "annotationsGroups",
    id: "annotationsGroupId",
    table: (store) => store.annotationsGroups,
    body: schemas.AnnotationsGroupRequest,
    view: groupView,
    listed: counted,
  }),
  ...collection<schemas.LabelsGroupRequest>({
    path: "labelsGroups",
    id: "labelsGroupId",
    table: (store) => store.labelsGroups,
    body: schemas.LabelsGroupRequest,
    view: groupView,
    listed: counted,
  }),
];

function organizationView({ id, created_at, updated_at, spec }: Organization) {
  const organization_plan = { plan: spec.plan, audit_logs_retention_in_days: 30 };
  const { description } = spec;
  return { id, created_at, updated_at, ...spec, description: description ?? "", organization_plan };
}

/** A configuration without its write-only members. */
function readable(config: object): object {
  return Object.fromEntries(Object.entries(config).filter(([member]) => !secretMembers.has(member)));
}

function clusterView(cluster: Named<schemas.ClusterRequest>, { store }: World) {
  const { id, created_at, updated_at, parentId, spec } = cluster;
  return {
    id,
    created_at,
    updated_at,
    organization: { id: parentId },
    ...spec,
    status: "DEPLOYED",
    deployment_status: "UP_TO_DATE",
    has_access: true,
    is_default: store.clusters.under(parentId)[0]?.id === id,
    is_demo: false,
    version: "1.33",
  };
}
