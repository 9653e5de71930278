import { type Fields, isFields, type Json } from "../../values/json.ts";
import { choice, flag, object, reference, required, set } from "../schema/field.ts";
import { description, environmentModes } from "./fields.ts";
import { defineKind } from "./kind.ts";
import { organizationKind } from "./organization-kind.ts";

const lowestOnCluster = "VIEWER";
const lowestInProject = "NO_ACCESS";

const clusterPermission = object({
  cluster: required(reference("cluster", "The cluster, by name or id.")),
  permission: choice([lowestOnCluster, "ENV_CREATOR", "ADMIN"], "Permission for the cluster.", {
    default: lowestOnCluster,
    alwaysSent: true,
  }),
});

const modePermission = object({
  environment_type: required(choice(environmentModes, "Mode of environments.")),
  permission: choice(
    [lowestInProject, "VIEWER", "DEPLOYER", "MANAGER"],
    "Permission in these environments.",
    { default: lowestInProject, alwaysSent: true },
  ),
});

const projectPermission = object({
  project: required(reference("project", "The project, by name or id.")),
  is_admin: flag("Whether the role may do everything in it.", { default: false }),
  permissions: set(["environment_type"], modePermission, "Permissions by the mode of environments.", {
    alwaysSent: true,
  }),
});

/**
 * ```yaml
 * kind: CustomRole
 * name: deployers
 * cluster_permissions: [{ cluster: eu-west, permission: ENV_CREATOR }]
 * ```
 */
export const customRole = defineKind({
  isUndated: true,
  name: "CustomRole",
  description:
    "A role of the organization, with permissions for clusters and projects. Clusters and projects without permissions here can be viewed at most.",
  ...organizationKind("customRole", { catalogue: "role" }),
  fields: object({
    description,
    cluster_permissions: set(["cluster"], clusterPermission, "Permissions for clusters.", {
      alwaysSent: true,
    }),
    project_permissions: set(["project"], projectPermission, "Permissions for projects.", {
      alwaysSent: true,
    }),
  }),
  form: { createCarries: ["description"], simplify: withoutLowest },
});

/** The API lists every cluster and every project: the lowest permission equals no entry. */
function withoutLowest(fields: Fields): Fields {
  const { cluster_permissions: clusters, project_permissions: projects } = fields;
  return {
    ...fields,
    ...(Array.isArray(clusters) && { cluster_permissions: clusters.filter(isHigher(lowestOnCluster)) }),
    ...(Array.isArray(projects) && { project_permissions: projects.flatMap(inProject) }),
  };
}

function isHigher(lowest: string): (entry: Json) => boolean {
  return (entry) => !isFields(entry) || (entry["permission"] ?? lowest) !== lowest;
}

function inProject(entry: Json): Json[] {
  if (!isFields(entry)) return [entry];
  const { is_admin, permissions } = entry;
  const higher = Array.isArray(permissions) ? permissions.filter(isHigher(lowestInProject)) : [];
  // An entry without `is_admin` denies administration; otherwise a role would keep hidden rights.
  const isAdmin = is_admin === true;
  return isAdmin || higher.length > 0 ? [{ ...entry, is_admin: isAdmin, permissions: higher }] : [];
}
