import { invalid } from "../world/errors.ts";
import { organizationOf } from "../http/lookup.ts";
import { collection } from "../http/collection.ts";
import type { Route } from "../http/routing.ts";
import { requireUnused } from "../world/in-use.ts";
import type { CustomRole } from "../world/records.ts";
import type { Entity, Table } from "../world/store.ts";
import type { World } from "../world/world.ts";
import { CustomRoleCreateRequest, CustomRoleUpdateRequest, type CustomRoleSpec } from "../bodies/roles.ts";
import { holdersOf } from "./roles.ts";

const modes = ["DEVELOPMENT", "PREVIEW", "STAGING", "PRODUCTION"] as const;

/** Roles that an organization defines itself. */
export const customRoleRoutes: Route[] = collection({
  path: "/organization/{organizationId}/customRole",
  id: "customRoleId",
  parentOf: organizationOf,
  table: (store) => store.customRoles,
  body: CustomRoleCreateRequest,
  edit: CustomRoleUpdateRequest,
  admit({ name, ...rest }, world, role, organizationId = "") {
    const spec = { cluster_permissions: [], project_permissions: [], ...rest };
    if (role) checkPermissions(spec, organizationId, world);
    return { name, spec };
  },
  view: customRoleView,
  requireDeletable: (role, world) => requireUnused(role.name, holdersOf(role, world), world),
});

function checkPermissions(spec: CustomRoleSpec, organizationId: string, { store }: World): void {
  const clusterIds = spec.cluster_permissions.map(({ cluster_id }) => cluster_id);
  const projectIds = spec.project_permissions.map(({ project_id }) => project_id);
  checkIds("cluster_permissions", "cluster_id", clusterIds, organizationId, store.clusters);
  checkIds("project_permissions", "project_id", projectIds, organizationId, store.projects);
}

function checkIds(
  place: string,
  member: string,
  ids: string[],
  organizationId: string,
  table: Table<Entity>,
) {
  for (const [index, found] of ids.entries()) {
    const field = `${place}[${index}].${member}`;
    if (table.find(found)?.parentId !== organizationId)
      throw invalid(field, `this organization has no ${table.noun} with id ${found}`);
    if (ids.indexOf(found) !== index) throw invalid(field, `this ${table.noun} is in the list twice`);
  }
}

/** A role with its permission for every cluster and every project, by default the lowest. */
function customRoleView({ id, name, parentId, spec }: CustomRole, { store }: World): object {
  const clusters = new Map(spec.cluster_permissions.map((each) => [each.cluster_id, each.permission]));
  const projects = new Map(spec.project_permissions.map((each) => [each.project_id, each]));
  return {
    id,
    name,
    description: spec.description ?? "",
    cluster_permissions: store.clusters
      .under(parentId)
      .map((cluster) => ({
        cluster_id: cluster.id,
        cluster_name: cluster.name,
        permission: clusters.get(cluster.id) ?? "VIEWER",
      })),
    project_permissions: store.projects.under(parentId).map((project) => {
      const { is_admin = false, permissions = [] } = projects.get(project.id) ?? {};
      return {
        project_id: project.id,
        project_name: project.name,
        is_admin,
        permissions: modes.map(
          (mode) =>
            permissions.find(({ environment_type }) => environment_type === mode) ?? {
              environment_type: mode,
              permission: "NO_ACCESS",
            },
        ),
      };
    }),
  };
}
